"""The platforms for which games are compiled.

On any machine, ``ziglang`` from PyPI can link for all these platforms, because it contains their C libraries. Python's
header ``pyconfig.h`` describes only the machine on which it is installed. For other platforms, :data:`DESCRIBED`
replaces it.
"""

from __future__ import annotations

import sysconfig
from dataclasses import dataclass

from spelunke.core.native import platform

UNIX = """\
#define SIZEOF_INT 4
#define SIZEOF_LONG 8
#define SIZEOF_WCHAR_T 4
#define SIZEOF_OFF_T 8
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1
"""
WINDOWS = """\
#define MS_WINDOWS 1
#define MS_WIN32 1
#define MS_WIN64 1
#define HAVE_DECLSPEC_DLL 1
#define Py_ENABLE_SHARED 1
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_WCHAR_T 2
#define SIZEOF_OFF_T 4
"""
DESCRIBED = """\
#ifndef Py_PYCONFIG_H
#define Py_PYCONFIG_H
@SYSTEM@
#define SIZEOF_SHORT 2
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_UINTPTR_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_DOUBLE 8
#define SIZEOF_FLOAT 4
#define ALIGNOF_LONG SIZEOF_LONG
#define ALIGNOF_SIZE_T 8
#define ALIGNOF_MAX_ALIGN_T 16
#define HAVE_STDINT_H 1
#define HAVE_WCHAR_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_STDARG_PROTOTYPES 1
#define STDC_HEADERS 1
#endif
"""
"""The text of ``pyconfig.h`` for a platform, as far as Python's stable interface depends on it."""


@dataclass(frozen=True)
class Target:
    """A platform.

    ``platform`` is its name for Python (:func:`spelunke.core.native.platform`), and ``tag`` its name in the file name
    of a wheel. ``triple`` is its name for LLVM, and ``zig`` its name for ``zig cc``. Both are empty in the result of
    :func:`this_machine`. If ``zig`` is empty, the compiler from :func:`.link.compiler` links the library.
    """

    platform: str
    tag: str
    triple: str = ""
    zig: str = ""

    @property
    def system(self) -> str:
        """``linux``, ``macosx`` or ``win``."""
        return self.platform.partition("-")[0]

    @property
    def library(self) -> str:
        """The suffix of a library's file name: ``.dll`` or ``.so``."""
        return ".dll" if self.system == "win" else ".so"

    @property
    def front(self) -> str:
        """The file name of the extension module through which Python calls the games' libraries."""
        return "_front.pyd" if self.system == "win" else "_front.so"

    @property
    def described(self) -> str:
        """The text of ``pyconfig.h`` for this platform."""
        return DESCRIBED.replace("@SYSTEM@", WINDOWS if self.system == "win" else UNIX)


TARGETS = {
    one.platform: one
    for one in (
        Target("linux-x86_64", "linux_x86_64", "x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17"),
        Target("linux-aarch64", "linux_aarch64", "aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.17"),
        Target("macosx-x86_64", "macosx_10_13_x86_64", "x86_64-apple-macosx10.13.0", "x86_64-macos.10.13"),
        Target("macosx-arm64", "macosx_11_0_arm64", "arm64-apple-macosx11.0.0", "aarch64-macos.11.0"),
        Target("win-amd64", "win_amd64", "x86_64-w64-windows-gnu", "x86_64-windows-gnu"),
    )
}
"""The platforms with wheels."""


def this_machine() -> Target:
    """Return the platform of this machine, with an empty ``triple`` and ``zig``."""
    tag = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return Target(platform(), tag)
