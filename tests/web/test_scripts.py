"""The modules of the pages' scripts, linked into one file for each page."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from spelunke.web import scripts

FOLDER = Path(scripts.__file__).parent / "static"
MODULES = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.js")}


def test_every_module_is_reached_from_a_page() -> None:
    reached = {name for page in scripts.PAGES for name in scripts.order_modules(MODULES, page)}
    assert reached == set(MODULES) - {scripts.WORKER}


@pytest.mark.parametrize("page", scripts.PAGES)
def test_a_module_comes_after_what_it_imports(page: str) -> None:
    found = scripts.order_modules(MODULES, page)
    assert found[-1] == page
    for at, name in enumerate(found):
        assert set(scripts.IMPORT.findall(MODULES[name])) <= set(found[:at])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("page", scripts.PAGES)
def test_a_page_gets_one_script_that_browsers_may_cache(client: TestClient, page: str) -> None:
    address = client.app.state.site.static(page)  # type: ignore[attr-defined]
    answer = client.get(address)
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    core, later = scripts.split_vendor(MODULES[scripts.VENDOR])
    assert answer.text == scripts.link(MODULES | {scripts.VENDOR: core}, page)
    assert client.get(client.app.state.site.static(scripts.SORTING)).text == later  # type: ignore[attr-defined]
    assert "Sortable" in later


def test_names_are_kept_apart_and_exports_are_shared() -> None:
    modules = {
        "a.js": 'import { b } from "./b.js";\nimport "./c.js";\nconst own = 1;\nb(own);\n',
        "b.js": "const own = 2;\nexport function b(one) {\n  return one + own;\n}\nexport const B = own;\n",
        "c.js": "const own = 3;\n",
    }
    assert scripts.link(modules, "a.js") == (
        "const { b, B } = (() => {\nconst own = 2;\nfunction b(one) {\n  return one + own;\n}\nconst B = own;\n"
        "return { b, B };\n})();\n"
        "{\nconst own = 3;\n}\n"
        "{\nconst own = 1;\nb(own);\n}"
    )


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export let a = 1;",
        "export * from './b.js';",
        'import b from "./b.js";',
        'import { a as b } from "./b.js";',
    ],
)
def test_an_import_or_export_that_cannot_be_linked_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"a\.js: (import|export)"):
        scripts.link({"a.js": line + "\n"}, "a.js")


def test_a_name_is_exported_once() -> None:
    modules = {
        "a.js": 'import { one } from "./b.js";\nexport const one = 1;\n',
        "b.js": "export const one = 1;\n",
    }
    with pytest.raises(ValueError, match=r"b\.js exports one too"):
        scripts.link(modules, "a.js")


def test_a_checkout_without_the_libraries_still_opens() -> None:
    rest = {name: text for name, text in MODULES.items() if name != scripts.VENDOR}
    assert scripts.link(rest, "table.js")
