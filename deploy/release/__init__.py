"""Make a release by one command: ``make release VERSION=1.0.0``, or ``make release DRY=1`` to try. See docs/release.md.

Everything is made in clones in a temporary folder. The last step alone changes this repository, so a release
that fails leaves nothing behind. For the reasons, see docs/why/release.md.
"""
