"""If a docstring marks a name with a role (``:func:`...```), show the name as code in the API reference."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

ROLE = re.compile(r":(?:func|class|mod|meth|data|attr|exc):`[.~]*([^`]+)`")


class Roles(Extension):
    """An extension that replaces roles, such as ``:func:``, in all docstrings that the API reference loads."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change one docstring."""
        if obj.docstring:
            obj.docstring.value = ROLE.sub(r"`\1`", obj.docstring.value)
