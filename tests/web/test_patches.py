"""Patches: messages that turn the old version of a page's part into the new one."""

from __future__ import annotations

import random

import msgspec

from spelunke.web.patches import CUT, PageParts, cut, mark_of, write_patch

PIECES = ("a", "b", "<section", "c<section", "", "d")


def test_a_patch_makes_the_new_version_whether_or_not_the_tail_is_the_same() -> None:
    chooser = random.Random(22)

    def choose() -> list[str]:
        return chooser.choices(PIECES, k=chooser.randint(1, 12))

    for _ in range(500):
        end = ["<section", *choose()] if chooser.random() < 0.5 else []
        first, second = (CUT.join([*choose(), *end]) for _version in range(2))
        before, pieces = mark_of(first)
        assert pieces == cut(first)
        now, some = mark_of(second, before)
        assert now == mark_of(second)[0]
        for given_pieces in (some, cut(second)):
            page = PageParts()
            page.take(msgspec.json.encode({"parts": {"board": [first]}, "html": ""}))
            patch = write_patch(before, now, given_pieces)
            page.take(msgspec.json.encode({"parts": {"board": patch}, "html": ""}))
            assert page.part("board") == second


def test_the_tail_of_a_part_is_not_cut_again_if_it_is_the_same() -> None:
    before, _pieces = mark_of('<p class="x">1</p><section class="s"><b class="y">2</b>')
    now, pieces = mark_of('<p class="x">3</p><section class="s"><b class="y">2</b>', before)
    assert pieces == ["<p", 'x">3</p><section']
    assert write_patch(before, now, pieces) == [0, 1, 'x">3</p><section', 2, 4]
