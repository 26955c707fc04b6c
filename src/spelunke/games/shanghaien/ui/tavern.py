"""The tavern at night: the scene behind the row, with the harbour in its window."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from spelunke.boards.markup import html, join
from spelunke.games.shanghaien.ui.sailors import cut, number


def _bottle(x: float, y: float, tall: float, wide: float) -> str:
    neck = wide * 0.34
    return (
        f"M{number(x)} {number(y)}V{number(y - tall * 0.55)}Q{number(x)} {number(y - tall * 0.68)} {number(x + wide / 2 - neck / 2)} {number(y - tall * 0.74)}"
        f"V{number(y - tall)}H{number(x + wide / 2 + neck / 2)}V{number(y - tall * 0.74)}Q{number(x + wide)} {number(y - tall * 0.68)} {number(x + wide)} {number(y - tall * 0.55)}V{number(y)}Z"
    )


@cache
def tavern_symbol() -> Markup:
    """Return the picture of the tavern at night as an SVG symbol for the sprite."""
    planks = "".join(f"M0 {y}H1200" for y in range(52, 400, 44))
    nails = "".join(
        f"M{x} {y}h3v3h-3Z" for y in range(62, 380, 44) for x in range(60 + y * 7 % 130, 1200, 260)
    )
    shelf = join(
        _bottle(x, 150, tall, wide)
        for x, tall, wide in (
            (820, 74, 26),
            (858, 58, 30),
            (900, 82, 22),
            (934, 52, 34),
            (980, 70, 25),
            (1016, 60, 30),
            (1058, 84, 24),
        )
    )
    gleam = join(cut(x, 112, x, 144, 1.6) for x in (826, 864, 905, 941, 985, 1022, 1063))
    water = join(
        cut(x - w, y, x + w, y, 1.3)
        for x, y, w in (
            (296, 196, 52),
            (300, 206, 34),
            (288, 216, 46),
            (304, 226, 22),
            (240, 222, 26),
            (360, 212, 30),
        )
    )
    masts = (
        "M150 196V70h4V196ZM136 96h34v2.5h-34ZM140 124h27v2.5h-27ZM190 196V92h3.5V196ZM178 112h28v2.5h-28Z"
        "M118 182H216Q210 200 196 204H136Q122 200 118 182ZM400 198V104h3V198ZM390 122h24v2h-24ZM376 190H428Q424 202 416 204H386Q380 200 376 190Z"
    )
    grain = join(cut(x, y, x + w, y + 2, 1.1, 3) for x, y, w in ((30, 418, 220), (320, 430, 260), (690, 414, 200), (940, 436, 220), (90, 470, 300), (520, 480, 240), (850, 474, 280), (10, 520, 200), (300, 532, 280), (660, 524, 220), (960, 530, 200), (130, 580, 260), (500, 590, 300), (900, 580, 240)))  # fmt: skip
    return html(
        '<symbol id="sh-tavern" viewBox="0 0 1200 640"><rect class="wall" width="1200" height="400"/><path class="seam" d="{}"/><path class="nail" d="{}"/><path class="beam" d="M0 0H1200V30H0ZM64 30H92V400H64ZM1108 30H1136V400H1108ZM92 62L150 30H118L92 46ZM1108 62L1050 30H1082L1108 46Z"/><path class="iron" d="M104 48H446V248H104Z"/><path class="sky" d="M116 60H434V236H116Z"/><path class="moon" d="M298 92a24 24 0 1 0 .1 0Z"/><path class="far" d="M116 190L146 176L182 184L228 168L270 182L318 172L366 184L434 170V236H116Z"/><path class="sea" d="M116 196H434V236H116Z"/><path class="gleam" d="{}"/><path class="iron" d="{}"/><path class="lamp-far" d="M139 178h4v4h-4ZM206 176h4v4h-4ZM392 184h3v3h-3ZM244 184h3v3h-3ZM352 186h3v3h-3Z"/><path class="beam" d="M271 60H279V236H271ZM116 144H434V151H116ZM98 236H452V252H98Z"/><path class="beam" d="M790 150H1096V162H790ZM806 162H818V184L806 176ZM1068 162H1080V176L1068 184Z"/><path class="glassware" d="{}"/><path class="gleam" d="{}"/><path class="beam" d="M-20 400V286Q-26 340 -20 400ZM560 404"/><path class="barrel" d="M1010 404C998 360 998 316 1010 276H1098C1110 316 1110 360 1098 404ZM902 404C892 372 892 336 902 308H980C990 336 990 372 980 404Z"/><path class="hoop" d="M1003 304H1105M1001 376H1107M897 328H985M896 384H986M1032 276C1026 316 1026 360 1032 404M1054 276V404M1076 276C1082 316 1082 360 1076 404M922 308C918 340 918 372 922 404M941 308V404M960 308C964 340 964 372 960 404"/><path class="board-top" d="M0 396H1200V640H0Z"/><path class="board-lip" d="M0 396H1200V404H0Z"/><path class="grain" d="{}"/><path class="grain" d="M0 456H1200V458H0ZM0 508H1200V510H0ZM0 564H1200V566H0Z"/><circle class="glow" cx="640" cy="150" r="560"/><use href="#sh-lantern" x="596" y="0" width="88" height="140"/></symbol>',
        planks,
        nails,
        water,
        masts,
        shelf,
        gleam,
        grain,
    )
