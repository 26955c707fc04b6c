"""Build the documentation site (`make docs`): collect the pages, run Zensical strictly, and check the result.

    python docs/site/build.py [FOLDER]

The site of this version goes to FOLDER/VERSION (build/site by default), beside those of other versions that
are there. For the choice of this tool, see docs/why/documentation.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
LINK = re.compile(r"(!?)\[([^\]]*)\]\(<?([^)\s>]+)>?\)")
CODE_BLOCK = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)", re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r"<!-- picture: .*?-->\n?")
INLINE_SCRIPT = re.compile(r"<script>(.+?)</script>", re.DOTALL)
INLINE_IMAGE = re.compile(r"url\(([\"'])data:image/svg\+xml;charset=utf-8,(.+?)\1\)", re.DOTALL)
ALIGNED = re.compile(r'style="text-align: (left|right|center);"')
# The search box adds its style as an element, which the policy forbids. An adopted style sheet is allowed.
INLINE_STYLE = re.compile(r"(\w+)\.appendChild\(\w+\(\"style\",\{\},(\w+)\.toString\(\)\)\)")
ADOPTED_STYLE = "{0}.adoptedStyleSheets=[(s=>(s.replaceSync({1}.toString()),s))(new CSSStyleSheet)]"


def read_version() -> str:
    """Return the version of the package."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def read_title(file: Path) -> str:
    """Return the first heading of a page."""
    heading = re.search(r"^# (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    if heading is None:
        raise SystemExit(f"{file} has no heading.")
    return heading[1]


class Contents:
    """The pages of the site: the source of each, its target, and its place in the navigation."""

    def __init__(self) -> None:
        """Read contents.toml; raise SystemExit if a page of docs/ is not listed there."""
        given = tomllib.loads((HERE / "contents.toml").read_text(encoding="utf-8"))
        self.api: dict[str, list[str]] = given["api"]
        self.sections: list[tuple[str, str, list[Path]]] = [
            (section["title"], section["about"], [ROOT / page for page in section["pages"]])
            for section in given["section"]
        ]
        self.why = sorted((ROOT / "docs" / "why").glob("*.md"))
        self.rules = sorted((ROOT / "src" / "spelunke" / "games").glob("*/rules.md"))
        listed = [page for _title, _about, pages in self.sections for page in pages]
        missing = sorted(set((ROOT / "docs").glob("*.md")) - set(listed))
        if missing:
            raise SystemExit(f"Give these pages their place in {HERE / 'contents.toml'}: {missing}")
        self.targets = {ROOT / "README.md": "index.md"}
        self.targets |= {page: page.name.lower() for page in listed}
        self.targets |= {page: f"why/{page.name}" for page in self.why}
        self.targets |= {page: f"rules/{page.parent.name}.md" for page in self.rules}

    def navigation(self) -> list[dict[str, object]]:
        """Return the navigation as Zensical takes it."""
        entries: list[dict[str, object]] = [{"Home": "index.md"}]
        for title, _about, pages in self.sections:
            inside: list[dict[str, object]] = [{read_title(page): self.targets[page]} for page in pages]
            if title == "Reference":
                inside.append(
                    {"Rules of the games": [{read_title(page): self.targets[page]} for page in self.rules]}
                )
                inside.append({"API": [{about: f"api/{name_page(about)}.md"} for about in self.api]})
            if title == "Explanation":
                inside.append(
                    {
                        "Decisions": [
                            "why/index.md",
                            *({read_title(page): self.targets[page]} for page in self.why),
                        ]
                    }
                )
            entries.append({title: inside})
        return entries


def name_page(about: str) -> str:
    """Return the file name of an API page."""
    return re.sub(r"\W+", "-", about.lower())


def convert(source: Path, contents: Contents, pages: Path) -> str:
    """Return a page with links that work on the site. Copy the pictures and files to which the page links."""
    here = contents.targets[source]
    up = "../" * here.count("/")

    def link(found: re.Match[str]) -> str:
        mark, words, target = found.groups()
        parts = urlsplit(target)
        if parts.scheme or not parts.path:
            return found[0]
        file = (source.parent / unquote(parts.path)).resolve()
        anchor = f"#{parts.fragment}" if parts.fragment else ""
        if file in contents.targets:
            return f"{mark}[{words}]({up}{contents.targets[file]}{anchor})"
        if file == ROOT / "docs" / "why":
            return f"[{words}]({up}why/index.md)"
        if file.is_file() and file.suffix in (".json", ".png", ".svg"):
            copy = pages / "files" / file.name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
            return f"{mark}[{words}]({up}files/{file.name})"
        # Source code is in the repository, not on the site.
        return words if words.startswith("`") else f"{words} (`{file.relative_to(ROOT)}`)"

    text = PICTURE.sub("", source.read_text(encoding="utf-8"))
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"\0{len(kept) - 1}\0"

    text = LINK.sub(link, CODE_BLOCK.sub(keep, text))
    return re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], text)


def gather(contents: Contents, pages: Path) -> None:
    """Write all pages into the folder from which the site is built."""
    for source, target in contents.targets.items():
        file = pages / target
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(convert(source, contents, pages), encoding="utf-8")
    lines = [f"- [{read_title(page)}]({page.name})" for page in contents.why]
    (pages / "why" / "index.md").write_text(
        "# Decisions\n\nEach page gives the reasons for one decision, and the alternatives.\n\n"
        + "\n".join(lines)
        + "\n",
        encoding="utf-8",
    )
    (pages / "api").mkdir()
    for about, modules in contents.api.items():
        text = f"# {about}\n\n" + "\n".join(f"::: {module}\n" for module in modules)
        (pages / "api" / f"{name_page(about)}.md").write_text(text, encoding="utf-8")


def configure(contents: Contents, work: Path) -> Path:
    """Write Zensical's settings and return their file."""
    palette = [
        {"media": f"(prefers-color-scheme: {mode})", "scheme": scheme, "toggle": {"icon": icon, "name": name}}
        for mode, scheme, icon, name in (
            ("light", "default", "lucide/sun", "Dark colours"),
            ("dark", "slate", "lucide/moon", "Light colours"),
        )
    ]
    python = {
        "paths": [str(ROOT / "src")],
        "options": {
            "docstring_style": "google",
            "heading_level": 2,
            "show_root_heading": True,
            "show_source": False,
            "members_order": "source",
            "separate_signature": True,
            "show_signature_annotations": True,
            "filters": ["!^_"],
            "extensions": [str(HERE / "roles.py")],
        },
    }
    settings = {
        "site_name": "Spelunke",
        "docs_dir": "pages",
        "site_dir": "site",
        "use_directory_urls": False,
        "nav": contents.navigation(),
        "extra": {"generator": False, "version": {"provider": "mike"}},
        "theme": {
            "name": "material",
            "font": False,
            "palette": palette,
            "features": ["navigation.sections", "navigation.indexes", "navigation.top", "content.code.copy"],
        },
        "plugins": [{"search": {}}, {"mkdocstrings": {"handlers": {"python": python}}}],
    }
    # Each JSON text is a YAML text.
    file = work / "mkdocs.yml"
    file.write_text(json.dumps(settings, indent=1), encoding="utf-8")
    return file


def move_out(site: Path, content: str, suffix: str) -> str:
    """Write a part of a page or style sheet into a file of its own, and return its path on the site."""
    path = f"assets/inline/{hashlib.sha256(content.encode()).hexdigest()[:12]}{suffix}"
    (site / path).parent.mkdir(parents=True, exist_ok=True)
    (site / path).write_text(content, encoding="utf-8")
    return path


def obey_policy(site: Path) -> None:
    """Change the site so that it works under the server's content policy, which allows only files of the server."""

    def rewrite(
        file: Path, changes: list[tuple[re.Pattern[str], Callable[[re.Match[str], str], str]]]
    ) -> None:
        up = "../" * (len(file.relative_to(site).parts) - 1)
        text = file.read_text(encoding="utf-8")
        for pattern, change in changes:
            text = pattern.sub(lambda found, change=change: change(found, up), text)  # type: ignore[misc]
        file.write_text(text, encoding="utf-8")

    def script(found: re.Match[str], up: str) -> str:
        return f'<script src="{up}{move_out(site, found[1], ".js")}"></script>'

    def image(found: re.Match[str], up: str) -> str:
        return f'url("{up}{move_out(site, unquote(found[2]), ".svg")}")'

    for page in sorted(site.rglob("*.html")):
        rewrite(page, [(INLINE_SCRIPT, script), (ALIGNED, lambda found, _up: f'align="{found[1]}"')])
    for sheet in sorted(site.rglob("*.css")):
        rewrite(sheet, [(INLINE_IMAGE, image)])
    bundles = sorted(site.glob("assets/javascripts/bundle.*.js"))
    if len(bundles) != 1 or len(INLINE_STYLE.findall(bundles[0].read_text(encoding="utf-8"))) != 1:
        raise SystemExit(
            "The style of the search box is not where it was in Zensical 0.0.73: see INLINE_STYLE."
        )
    rewrite(bundles[0], [(INLINE_STYLE, lambda found, _up: ADOPTED_STYLE.format(*found.groups()))])


class Links(HTMLParser):
    """A parser that collects a page's links, the files that it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one tag."""
        given = dict(attrs)
        self.anchors |= {value for name in ("id", "name") if (value := given.get(name))}
        if tag == "a" and (target := given.get("href")):
            self.links.append(target)
        elif target := given.get("src") or (given.get("href") if given.get("rel") != "canonical" else None):
            self.loads.append(target)


def check_links(site: Path) -> list[str]:
    """Return a line for each broken link, and for each file that is loaded from another site."""
    pages = {page: Links(page.read_text(encoding="utf-8")) for page in sorted(site.rglob("*.html"))}
    wrong = []
    for page, found in pages.items():
        name = page.relative_to(site).as_posix()
        for target in [*found.links, *found.loads]:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in found.loads and parts.scheme != "data":
                    wrong.append(f"{name}: loads {target}")
                continue
            if name == "404.html":
                continue  # shown at any address, so its links begin at the root of a server
            file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            file = file / "index.html" if file.is_dir() else file
            if not file.is_file():
                wrong.append(f"{name}: {target} does not exist")
            elif (
                parts.fragment
                and file in pages
                and unquote(parts.fragment) not in pages[file].anchors | {"__top"}
            ):
                wrong.append(f"{name}: {target}: there is no such heading")
    return wrong


def list_versions(folder: Path, newest: str) -> None:
    """Write the list that the pages' version menu reads, and a first page that leads to the newest version."""
    found = [entry.name for entry in folder.iterdir() if (entry / "index.html").is_file()]
    found.sort(key=lambda name: [int(part) for part in re.findall(r"\d+", name)], reverse=True)
    versions = [
        {"version": name, "title": name, "aliases": ["latest"] if name == newest else []} for name in found
    ]
    (folder / "versions.json").write_text(json.dumps(versions), encoding="utf-8")
    (folder / "index.html").write_text(
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Spelunke</title>'
        f'<meta http-equiv="refresh" content="0; url={newest}/index.html"></head>'
        f'<body><a href="{newest}/index.html">Documentation of Spelunke {newest}</a></body></html>\n',
        encoding="utf-8",
    )


def build(contents: Contents, work: Path) -> list[str]:
    """Build the site in the folder ``site`` of a work folder, and return its errors."""
    (work / "pages").mkdir()
    gather(contents, work / "pages")
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "-f", str(configure(contents, work))],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=work,
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )
    if done.returncode:
        return [done.stdout]
    obey_policy(work / "site")
    return check_links(work / "site")


def main() -> int:
    """Build the site of this version; return 1 if Zensical warns or a link is broken."""
    parser = argparse.ArgumentParser(
        description="Build the documentation site of this version, and fail on any warning or broken link."
    )
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=ROOT / "build" / "site",
        help="the folder for the site. Other versions in it stay. Default: build/site",
    )
    folder = parser.parse_args().folder.resolve()
    version = read_version()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        wrong = build(Contents(), work)
        if wrong:
            print(*wrong, sep="\n", file=sys.stderr)
            return 1
        shutil.rmtree(folder / version, ignore_errors=True)
        shutil.copytree(work / "site", folder / version)
    list_versions(folder, version)
    print(f"{len(list((folder / version).rglob('*.html')))} pages in {folder / version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
