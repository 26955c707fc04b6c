"""nginx with the files of `deploy/`, on ports of a test's own."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

DEPLOY = Path(__file__).resolve().parent.parent / "deploy" / "nginx"
WHOLE = """
{user}worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
daemon off;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {site};
}}
"""


def find_nginx() -> str | None:
    """Return the program: NGINX_PROGRAM in the environment, or the installed one."""
    return (
        os.environ.get("NGINX_PROGRAM")
        or shutil.which("nginx")
        or shutil.which("nginx", path="/usr/sbin:/sbin")
    )


def read_version(nginx: str) -> tuple[int, ...]:
    """Return its version as numbers."""
    told = subprocess.run([nginx, "-v"], capture_output=True, text=True, check=True).stderr
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", told)
    assert found, told
    return tuple(int(number) for number in found.groups())


def write_config(folder: Path, port: int, workers: list[int]) -> Path:
    """Write a whole configuration from `deploy/nginx/compose.conf`, with these workers instead of its own."""
    text = (DEPLOY / "compose.conf").read_text(encoding="utf-8")
    text = text.replace("/etc/nginx/spelunke", str(DEPLOY)).replace("listen 80", f"listen 127.0.0.1:{port}")
    server = re.search(r"^ *server worker1:8000 (.*);$", text, flags=re.MULTILINE)
    assert server
    text = re.sub(r"^ *server worker\d:8000 .*;\n", "", text, flags=re.MULTILINE)
    lines = "".join(f"    server 127.0.0.1:{worker} {server[1]};\n" for worker in workers)
    text = text.replace("upstream spelunke {\n", "upstream spelunke {\n" + lines)
    # The variable for a table's address must come before the servers.
    text = text.replace(
        lines + "    hash $spelunke_table consistent;\n", "    hash $spelunke_table consistent;\n" + lines
    )
    return write_whole(folder, text)


def write_whole(folder: Path, site: str) -> Path:
    """Write a whole nginx configuration that includes this site's configuration."""
    (folder / "site.conf").write_text(site, encoding="utf-8")
    user = "user root;\n" if os.geteuid() == 0 else ""
    file = folder / "nginx.conf"
    file.write_text(WHOLE.format(user=user, folder=folder, site=folder / "site.conf"), encoding="utf-8")
    return file


@contextlib.contextmanager
def run_nginx(nginx: str, config: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run nginx with this configuration file, until the end of the block."""
    process = subprocess.Popen([nginx, "-c", str(config)], stdin=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)
