"""The eight sailors and their emblems, drawn like woodcuts: ink, paper, and the nation's hue as second colour.

A sailor is drawn in a box of 100 × 100, and an emblem in a box of 24 × 24. The drawing of a sailor is a sequence of
(tone, path) pairs. A tone is a class name. Areas have the tones ``k`` (ink), ``p`` (paper), ``h`` (hue) and ``d`` (deep
hue). Lines have the tones ``l`` (ink), ``w`` (paper) and ``s`` (paper, thick). Light comes from the left.
"""

from __future__ import annotations

import math

Drawing = tuple[tuple[str, str], ...]
"""The layers of a drawing from back to front. Each layer is a pair: the class of its colour, and its path."""


def number(value: float) -> str:
    """Return a coordinate as short text with at most one decimal."""
    return f"{value:.1f}".rstrip("0").rstrip(".").replace("-0.", "-.") or "0"


def cut(x0: float, y0: float, x1: float, y1: float, width: float, bend: float = 0) -> str:
    """Return the path of a stroke that looks like a cut in wood.

    It is pointed at both ends, and ``width`` wide in the middle. The middle is moved sideways by half of ``bend``.
    """
    length = math.hypot(x1 - x0, y1 - y0) or 1
    nx, ny = (y0 - y1) / length, (x1 - x0) / length
    mx, my = (x0 + x1) / 2, (y0 + y1) / 2
    a, b = bend + width, bend - width
    return (
        f"M{number(x0)} {number(y0)}Q{number(mx + nx * a)} {number(my + ny * a)} {number(x1)} {number(y1)}"
        f"Q{number(mx + nx * b)} {number(my + ny * b)} {number(x0)} {number(y0)}"
    )


def cuts(x0: float, y0: float, x1: float, y1: float, step: tuple[float, float], count: int, width: float = 0.8,
         bend: float = 0, shrink: float = 1) -> str:  # fmt: skip
    """Return the paths of several strokes in a row.

    Each stroke is moved by ``step`` from the one before, and its length is multiplied by ``shrink``.
    """
    parts = []
    for i in range(count):
        part = shrink**i
        ax, ay = x0 + step[0] * i, y0 + step[1] * i
        parts.append(cut(ax, ay, ax + (x1 - x0) * part, ay + (y1 - y0) * part, width, bend))
    return "".join(parts)


def rays(cx: float, cy: float, inner: float, outer: float, count: int, width: float, turn: float = 0) -> str:
    """Return the paths of rays around a point, as wedges that widen outwards. Every second ray is shorter."""
    parts = []
    for i in range(count):
        angle = turn + math.tau * i / count
        c, s = math.cos(angle), math.sin(angle)
        start = inner if i % 2 else inner * 1.2
        x, y, ox, oy = cx + c * start, cy + s * start, cx + c * outer, cy + s * outer
        parts.append(
            f"M{number(x)} {number(y)}L{number(ox - s * width)} {number(oy + c * width)} "
            f"{number(ox + s * width)} {number(oy - c * width)}Z"
        )
    return "".join(parts)


# ---- parts of all faces ---------------------------------------------------------------------------------------

FACE = "M33 36C31 51 34 62 41 70Q46 75 50 75Q56 75 61 69C67 61 69 51 67 36Z"
SHADE = (
    "M56 36L67 36C69 51 67 61 61 69Q56 75 50 75C53 73 55 71 54 69C57 67 60 64 58 61C56 59 58 58 57 56"
    "C60 55 57 52 55 50C53 47 55 42 56 36Z"
)
EARS = "M33 46C28 43 27 49 29 53C30 57 33 58 34.5 57ZM67 46C72 43 73 49 71 53C70 57 67 58 65.5 57Z"
NOSE = "M51 45L46.5 57.5C45 60 46.5 62 49 61.5L53 62L55 59.5L51.5 60.3C48.8 60 49.5 58 50 56.5L53 47Z"
LEFT_EYE = "M36.5 50.6Q42 46.6 47.5 50.2L47 51.2Q45.5 52.8 43.2 53A2.4 2.4 0 0 1 40 51.6Q38 51 37 51.5Z"
RIGHT_EYE = "M56.5 50.6Q60.5 47.5 64.5 50.4Q60.5 53 56.5 50.6Z"
PUPIL = "M60.6 50.2m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0Z"
MOUTH = "M43 66.5C46 64.8 48 65.8 50 65.6C53 65.2 55 66 57 67C52 68.6 47 68.2 43 66.5Z"
CHEEK = cuts(59, 55, 67, 53, (-0.4, 3.1), 5, 0.75, 0.8, 0.9)
TEMPLE = cuts(34.5, 55, 39, 57, (0.6, 2.6), 4, 0.55, -0.5, 0.9)


def brows(lift: float = 0, heavy: float = 1) -> tuple[str, str]:
    """Return the paths of two brows: first the lit one, for the tone ink, then the shaded one, for the tone paper.

    ``lift`` raises the inner ends of both brows. ``heavy`` makes the lit brow thicker.
    """
    h = 1.5 * heavy
    left = f"M34.5 46.5Q40 {number(42.5 + lift / 2)} 48.5 {number(46 - lift)}L48.5 {number(46 - lift + h)}Q40 {number(44.6 + h / 2)} 35 48Z"
    right = f"M56 {number(45.6 - lift)}Q61 43.4 65.5 46.2Q61 44.9 56 {number(46.6 - lift)}Z"
    return left, right


def head(lift: float = 0, heavy: float = 1, mouth: bool = True, ears: bool = True) -> Drawing:
    """Return the layers of a face that is lit from the left.

    Ink and paper are tones. From back to front:

    - if ``ears`` is true, the ears in paper, and their outline
    - the face in paper, and its outline
    - in ink: the shade, the temple, the nose, the lit eye with its brow, and the mouth if ``mouth`` is true
    - in paper: the shaded eye with its brow, and the cheek
    - in ink: the pupil of the shaded eye
    """
    left, right = brows(lift, heavy)
    ink = SHADE + left + LEFT_EYE + NOSE + TEMPLE + (MOUTH if mouth else "")
    return (
        *((("p", EARS), ("l", EARS)) if ears else ()),
        ("p", FACE),
        ("l", FACE),
        ("k", ink),
        ("p", RIGHT_EYE + right + CHEEK),
        ("k", PUPIL),
    )


SHOULDERS = "M2 100C4 87 15 82 37 76L63 76C85 82 96 87 98 100Z"
NECK = "M40 66L39 82Q50 90 61 82L60 66Z"

# ---- headgear, hair and dress -------------------------------------------------------------------------------------

AMERICAN: Drawing = (
    ("k", SHOULDERS),
    ("w", "M12 95Q30 84 38 83M88 95Q70 84 62 83"),
    ("p", NECK),
    ("l", NECK),
    ("k", "M52 74L60 70L61 82Q55 87 50 87Z"),
    ("h", "M37 80L50 90L63 80L66 86L54 95L50 93L46 95L34 86Z"),
    ("l", "M37 80L50 90L63 80L66 86L54 95L50 93L46 95L34 86Z"),
    ("h", "M47 92L53 92L57 100L43 100Z"),
    ("l", "M47 92L53 92L57 100L43 100Z"),
    *head(0.6),
    (
        "k",
        "M32 47C30 40 32 36 34 33L38 36C35 40 35 44 34.5 48ZM68 47C70 40 68 36 66 33L62 36C65 40 65 44 65.5 48Z",
    ),
    ("p", "M35 28C34 15 42 10 51 10C60 10 67 15 66 28Z"),
    ("l", "M35 28C34 15 42 10 51 10C60 10 67 15 66 28Z"),
    ("p", "M27 26C35 20 66 19 74 25C75 30 73 35 71 38C58 31 42 31 30 39C28 36 26 31 27 26Z"),
    ("l", "M27 26C35 20 66 19 74 25C75 30 73 35 71 38C58 31 42 31 30 39C28 36 26 31 27 26Z"),
    (
        "k",
        "M58 10C64 12 67 18 66 24L60 22.5C61 17 60 13 56 10ZM62 23.5L74 25C75 30 73 35 71 38L61 33.5C63 30 63 26 62 23.5Z",
    ),
    ("p", cuts(63, 26, 73, 28, (-0.2, 2.6), 4, 0.6)),
    ("k", cuts(33, 25, 32, 34, (4, -0.8), 5, 0.45)),
)

FRENCH: Drawing = (
    ("p", SHOULDERS),
    ("l", SHOULDERS),
    ("h", "M4 92Q30 82 50 94Q70 82 96 92L97.5 97Q70 88 50 99.5Q30 88 2.5 97Z"),
    ("h", "M24 81Q34 79 40 80L50 85L60 80Q66 79 76 81L79 82Q66 81 60 83L50 88L40 83Q34 81 21 82Z"),
    ("h", "M16 84Q32 80 40 83L50 88L60 83Q68 80 84 84L89 87Q66 84 50 93Q34 84 11 87Z"),
    ("k", "M74 80L98 100L70 100C76 94 78 88 74 80Z"),
    ("p", NECK),
    ("l", NECK),
    ("k", "M52 74L60 70L61 82Q55 87 50 87Z"),
    *head(1.2, 0.9, mouth=False),
    ("k", "M50 63.5C45 62.5 42 66 36.5 65C38 69.5 45 70 50 67.5C55 70 62 69.5 64 65C58 66 55 62.5 50 63.5Z"),
    ("p", cuts(56, 66.5, 62, 66.8, (0, 1.3), 2, 0.4)),
    ("k", "M46 71.5Q50 70 54 71.6Q50 73 46 71.5Z"),
    (
        "k",
        "M31 50C29 42 31 36 34 33L39 36C36 40 36 44 34.5 52ZM69 50C71 42 69 36 66 33L61 36C64 40 64 44 65.5 52Z",
    ),
    ("k", "M28 28C30 36 30 38 31 40C43 34 57 34 69 40C70 38 70 36 72 28C58 22 42 22 28 28Z"),
    ("h", "M26 27C24 18 36 12 50 12C64 12 76 18 74 27C60 21 40 21 26 27Z"),
    ("l", "M26 27C24 18 36 12 50 12C64 12 76 18 74 27C60 21 40 21 26 27Z"),
    ("k", "M60 13C70 15 76 20 74 27L64 23.5C66 20 64 16 60 13Z"),
    ("p", cuts(64, 15.5, 72, 20, (0.2, 2.4), 3, 0.6)),
    ("p", "M34 31Q50 26.5 66 31L66 33Q50 28.5 34 33Z"),
    ("d", "M50 11m-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0Z"),
    ("l", "M50 11m-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0Z"),
    ("p", cuts(46, 8, 48, 13, (2.6, -0.6), 3, 0.5)),
)

GERMAN: Drawing = (
    ("k", SHOULDERS),
    ("h", "M37 77L30 100L14 100C18 90 24 82 37 77ZM63 77L70 100L86 100C82 90 76 82 63 77Z"),
    ("w", "M37 78L31 99M63 78L69 99"),
    (
        "p",
        "M47 90m-1.6 0a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0ZM55 96m-1.6 0a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0Z",
    ),
    *head(-0.6, 1.4, mouth=False),
    (
        "k",
        "M31 46L35 47C35 58 38 63 42 66Q46 68.5 50 68.5Q55 68.5 58 66C63 62 65 57 65.5 47L69 46C72 62 68 76 61 81C55 85 45 85 39 81C32 76 28 62 31 46Z",
    ),
    (
        "p",
        cuts(34, 58, 37, 75, (2.6, 3.2), 4, 0.7, -0.6, 0.86)
        + cuts(47, 71, 46, 82, (3.5, 0.3), 3, 0.6)
        + cuts(60, 68, 58, 79, (2.6, -2.6), 3, 0.6, 0.5),
    ),
    ("k", "M42 65Q47 63.2 54 64.6L53.5 66Q47 65.2 42.5 66.4Z"),
    ("k", "M41 65L28 70L27.5 66.5L39.5 63.5ZM30 71.5C30 75 22 75.5 21.5 71.5L21 64L30.5 64Z"),
    ("w", "M22 66.5L29.5 66.5"),
    ("s", "M25 61C21 56 29 54 25 49C22 44 28 42 26 37"),
    ("h", "M27 27C22 16 34 11 50 11C66 11 78 16 73 27Z"),
    ("l", "M27 27C22 16 34 11 50 11C66 11 78 16 73 27Z"),
    ("k", "M60 12C72 13 78 19 73 27L64 27C67 21 65 15 60 12Z"),
    ("p", cuts(65, 15, 73, 20, (0.1, 2.5), 3, 0.6)),
    ("k", "M29 27L71 27L70.5 33.5L29.5 33.5Z"),
    ("w", "M31 29.2Q50 27.6 69 29.2M31 31.4Q50 29.8 69 31.4"),
    ("k", "M28 33C40 30.5 60 30.5 72 33C70 41 61 43.5 50 41.5C39 43.5 30 41 28 33Z"),
    ("w", "M33 36.5Q42 39.5 51 38"),
)

CHINESE: Drawing = (
    ("k", SHOULDERS),
    ("h", "M38 77L50 92L62 77L74 80L52 100L48 100L26 80Z"),
    ("l", "M38 77L50 92L62 77L74 80L52 100L48 100L26 80Z"),
    ("w", "M14 96Q16 90 24 86M86 96Q84 90 76 86M20 99Q22 93 29 89M80 99Q78 93 71 89"),
    ("p", NECK),
    ("l", NECK),
    ("k", "M52 74L60 70L61 82Q55 88 50 88Z"),
    *head(0.2, 1.0),
    (
        "k",
        "M32 54C29 46 31 38 34 35L38 38C35 42 36 46 35 54ZM68 54C71 46 69 38 66 35L62 38C65 42 64 46 65 54Z",
    ),
    ("h", "M50 6C64 16 82 27 92 39C78 44 66 41 50 40C34 41 22 44 8 39C18 27 36 16 50 6Z"),
    ("l", "M50 6C64 16 82 27 92 39C78 44 66 41 50 40C34 41 22 44 8 39C18 27 36 16 50 6Z"),
    ("k", "M50 6C64 16 82 27 92 39C82 42.5 74 42 66 41C64 28 58 16 50 6Z"),
    (
        "h",
        cuts(57, 15, 76, 40, (2.6, 2), 1, 0.9)
        + cuts(59, 14.5, 83, 39, (0, 0), 1, 0.9)
        + cuts(56, 18, 70, 40, (0, 0), 1, 0.9)
        + cuts(64, 19, 88, 38.6, (0, 0), 1, 0.8),
    ),
    (
        "k",
        cut(48, 9, 36, 39, 0.6)
        + cut(46.5, 10, 27, 40, 0.6)
        + cut(45, 12, 18, 40.5, 0.6)
        + cut(49.3, 10, 45, 39, 0.6),
    ),
    ("l", "M22 30Q50 34 78 30M34 19.5Q50 22 66 19.5"),
)

DUTCH: Drawing = (
    ("h", SHOULDERS),
    ("l", SHOULDERS),
    ("k", "M72 79C88 84 96 88 98 100L66 100C72 94 74 87 72 79Z"),
    ("k", cuts(14, 88, 12, 99, (6, -1.2), 4, 0.8) + cuts(40, 90, 39, 100, (5, 0.4), 5, 0.8)),
    ("h", "M37 72C41 76 59 76 63 72L66 83C58 91 42 91 34 83Z"),
    ("l", "M37 72C41 76 59 76 63 72L66 83C58 91 42 91 34 83Z"),
    ("k", cuts(40, 76, 38.5, 86, (4, 1), 6, 0.6)),
    ("k", "M56 75L63 72L66 83Q61 87 55 89Z"),
    ("h", cuts(58, 77, 58.5, 86, (2.6, -0.8), 3, 0.5)),
    *head(1.0, 1.1),
    (
        "k",
        "M32 40L36 40C36 52 37 55 38 59C36 59 34 57 33 52ZM68 40L64 40C64 52 63 56 62 60C64 59 66 57 67 52Z",
    ),
    ("k", cuts(41, 70, 42.5, 72.5, (2.2, 0.7), 4, 0.5)),
    ("p", "M72 57m-2.2 0a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0Z"),
    ("l", "M72 57m-2.2 0a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0Z"),
    ("h", "M32 32C30 14 40 5 54 6C66 6 74 12 78 22C76 24 73 24 71 22C68 17 68 26 68 32Z"),
    ("l", "M32 32C30 14 40 5 54 6C66 6 74 12 78 22C76 24 73 24 71 22C68 17 68 26 68 32Z"),
    ("k", "M56 6C67 7 74 12 78 22C76 24 73 24 71 22C68 17 68 26 68 32L60 32C63 22 62 12 56 6Z"),
    ("h", cuts(62, 11, 66, 30, (2.6, 1.4), 3, 0.6, 0.8, 0.8)),
    ("k", cuts(37, 17, 36, 31, (4.6, -3), 4, 0.5, 0.6)),
    ("h", "M29 31Q50 25 71 31L71 41Q50 35 29 41Z"),
    ("l", "M29 31Q50 25 71 31L71 41Q50 35 29 41Z"),
    ("k", "M58 28.4Q66 29 71 31L71 41Q65 38.6 57 38Z"),
    ("k", cuts(32, 31, 32, 39.5, (3.6, -0.7), 7, 0.55)),
    ("h", cuts(60, 30, 60, 38, (3, 0.5), 4, 0.5)),
)

TURKISH: Drawing = (
    ("k", SHOULDERS),
    ("p", "M42 78L50 100L58 78Z"),
    ("l", "M42 78L50 100L58 78Z"),
    ("h", "M36 77L44 78L50 100L34 100C30 92 32 83 36 77ZM64 77L56 78L50 100L66 100C70 92 68 83 64 77Z"),
    ("l", "M36 77L44 78L50 100L34 100C30 92 32 83 36 77ZM64 77L56 78L50 100L66 100C70 92 68 83 64 77Z"),
    ("w", "M38 82Q36 90 38 98M62 82Q64 90 62 98M14 97Q16 90 26 85M86 97Q84 90 74 85"),
    ("p", NECK),
    ("l", NECK),
    ("k", "M52 74L60 70L61 82Q55 87 50 87Z"),
    *head(-0.2, 1.3, mouth=False),
    (
        "k",
        "M50 63C44 61.5 40 63.5 37 68.5C40 67.8 43 69.8 50 67.8C57 69.8 60 67.8 63.5 68.5C60 63.5 56 61.5 50 63Z",
    ),
    ("p", cuts(55, 65, 61, 66.6, (0.3, 1.4), 2, 0.45)),
    ("k", "M46.5 71.3Q50 70 54 71.5Q50 73 46.5 71.3Z"),
    (
        "k",
        "M32 50C30 42 32 37 34 34L38 36C35 40 36 44 35 50ZM68 50C70 42 68 37 66 34L62 36C65 40 64 44 65 50Z",
    ),
    ("h", "M38 9Q50 5.5 62 9L69 37Q50 30 31 37Z"),
    ("l", "M38 9Q50 5.5 62 9L69 37Q50 30 31 37Z"),
    ("k", "M55 7.3Q59 7.8 62 9L69 37Q63 34.5 57 33.7C60 24 59 15 55 7.3Z"),
    ("h", cuts(59, 12, 63.5, 33, (2.4, 0.5), 2, 0.6)),
    ("k", cuts(40, 12, 36, 32, (3.6, -0.9), 3, 0.45)),
    ("l", "M50 8C58 6 68 10 73 20"),
    ("k", "M70.5 19.5L75.5 19.5L79 38L67 38Z"),
    ("w", "M72 23L70 36M73.5 23L74 36M75 23L77 36"),
)

SPANISH: Drawing = (
    ("k", "M28 44C22 60 25 74 20 84L80 84C75 74 78 60 72 44Z"),
    ("p", SHOULDERS),
    ("l", SHOULDERS),
    ("k", "M74 81C90 85 96 88 98 100L64 100C72 95 76 88 74 81Z"),
    ("k", cuts(15, 90, 20, 99, (6, -2), 4, 0.5)),
    ("h", "M30 80L50 100L70 80L60 100L40 100Z"),
    ("l", "M30 80L50 100L70 80"),
    ("p", "M41 66L40 80Q50 92 60 80L59 66Z"),
    ("l", "M41 66L40 80Q50 92 60 80L59 66Z"),
    ("k", "M52 74L59 70L60 80Q55 87 50 87Z"),
    *head(1.4, 0.7, mouth=False, ears=False),
    ("k", "M44.5 67C47 65.2 49 66 50 66C52 65.6 54 66 55.5 67.2C53 70 47.5 70 44.5 67Z"),
    (
        "k",
        "M34 36C38 41 36 50 34 58C32 66 36 74 30 86C22 80 26 70 27 60C27 50 27 42 34 36ZM66 36C62 41 64 50 66 58C68 66 64 74 70 86C78 80 74 70 73 60C73 50 73 42 66 36Z",
    ),
    (
        "p",
        cuts(30, 50, 28, 80, (2.2, 3), 2, 0.6, 1.4, 0.8) + cuts(70, 50, 72, 80, (-1.8, 4), 2, 0.6, -1.4, 0.8),
    ),
    ("h", "M28 40C26 20 36 10 50 10C64 10 74 20 72 40C66 32 58 29 50 29C42 29 34 32 28 40Z"),
    ("l", "M28 40C26 20 36 10 50 10C64 10 74 20 72 40C66 32 58 29 50 29C42 29 34 32 28 40Z"),
    ("k", "M58 11C69 14 74 24 72 40C68 35 64 32 60 31C65 24 64 16 58 11Z"),
    ("h", cuts(66, 17, 70, 35, (-1.6, 3.4), 3, 0.55, -0.6, 0.8)),
    (
        "p",
        "M40 17m-1.8 0a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0ZM50 22m-1.8 0a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0ZM35 27m-1.8 0a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0ZM53 14m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0ZM44 26m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0Z",
    ),
    ("h", "M71 36C79 33 84 35 88 31C88 38 84 41 79 41C84 44 86 49 85 53C79 51 74 46 70 41Z"),
    ("l", "M71 36C79 33 84 35 88 31C88 38 84 41 79 41C84 44 86 49 85 53C79 51 74 46 70 41Z"),
    ("w", "M31 63m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0Z"),
)

ITALIAN: Drawing = (
    ("p", SHOULDERS),
    ("l", SHOULDERS),
    ("k", "M38 77L20 100L4 100C6 88 18 82 38 77ZM62 77L80 100L96 100C94 88 82 82 62 77Z"),
    ("w", "M10 97Q14 89 26 84M90 97Q86 89 74 84"),
    ("p", NECK),
    ("l", NECK),
    ("k", "M52 74L60 70L61 82Q55 87 50 87Z"),
    ("h", "M36 79Q50 92 64 79L67 85Q58 93 53 94L60 100L50 97L40 100L47 94Q42 93 33 85Z"),
    ("l", "M36 79Q50 92 64 79L67 85Q58 93 53 94L60 100L50 97L40 100L47 94Q42 93 33 85Z"),
    *head(0.9, 1.0),
    (
        "k",
        "M46 61.8Q43 64 40 63.5Q43 65.5 48 64.2L51.5 64.2Q56 65.5 59.5 64Q56 63.6 53.5 62.3Q50 63.2 46 61.8Z",
    ),
    ("k", "M46.5 71L53.5 71L52 76Q50 78 48 76Z"),
    (
        "k",
        "M31 52C28 44 31 37 34 34L39 36C36 40 37 46 34.5 54ZM69 52C72 44 69 37 66 34L61 36C64 40 63 46 65.5 54Z",
    ),
    ("p", "M33 32L35 12Q50 8 65 12L67 32Z"),
    ("l", "M33 32L35 12Q50 8 65 12L67 32Z"),
    ("k", "M58 10.3Q62 10.8 65 12L67 32L59 31C61 24 61 16 58 10.3Z"),
    ("p", cuts(61, 13, 62.5, 22, (1.7, 0.2), 2, 0.5)),
    ("k", cuts(38, 14, 37.5, 21, (4, -0.6), 4, 0.4)),
    ("h", "M34 22Q50 18.5 66 22L67 30L33 30Z"),
    ("l", "M34 22Q50 18.5 66 22L67 30L33 30Z"),
    ("p", "M12 32C24 25 76 25 88 32C82 39 66 38 50 36.5C34 38 18 39 12 32Z"),
    ("l", "M12 32C24 25 76 25 88 32C82 39 66 38 50 36.5C34 38 18 39 12 32Z"),
    ("k", "M58 28C72 28 83 29 88 32C82 39 68 38 57 37C62 34 62 31 58 28Z"),
    ("p", cuts(63, 30.4, 82, 32, (-0.6, 2.2), 3, 0.55)),
    ("k", cuts(19, 31, 30, 30, (2, 2), 3, 0.4) + cuts(36, 31, 48, 30.4, (1, 2.2), 2, 0.4)),
    ("h", "M66 28C73 27 79 29 84 36C82 37 82 39 82 41C77 37 71 36 65 33Z"),
    ("l", "M66 28C73 27 79 29 84 36C82 37 82 39 82 41C77 37 71 36 65 33Z"),
)

SAILORS: dict[str, Drawing] = {
    "red": AMERICAN, "lightblue": FRENCH, "darkblue": GERMAN, "yellow": CHINESE,
    "orange": DUTCH, "purple": TURKISH, "green": SPANISH, "grey": ITALIAN,
}  # fmt: skip


def star(cx: float, cy: float, outer: float, inner: float, points: int, turn: float = -90) -> str:
    """Return the path of a star with this number of points."""
    spots = []
    for i in range(points * 2):
        angle = math.radians(turn + 180 * i / points)
        radius = inner if i % 2 else outer
        spots.append(f"{number(cx + radius * math.cos(angle))} {number(cy + radius * math.sin(angle))}")
    return "M" + "L".join(spots) + "Z"


EMBLEMS: dict[str, str] = {
    # one shape for each, distinct at 12 pixels: star, lily, anchor, sail, tulip, crescent, tower, compass
    "red": star(12, 12.8, 11.6, 4.9, 5),
    "lightblue": "M12 1C15 4.5 15.5 7.5 13.6 12.5C14.5 9.5 17.5 7.5 20 8.5C23.5 10 22.5 15 18.5 15C19 14 18.5 12.5 17 13C15.5 13.5 15 15 14.8 16L17 16L17 18.5L14.5 18.5C14.8 20.5 15.8 21.8 17 23L7 23C8.2 21.8 9.2 20.5 9.5 18.5L7 18.5L7 16L9.2 16C9 15 8.5 13.5 7 13C5.5 12.5 5 14 5.5 15C1.5 15 .5 10 4 8.5C6.5 7.5 9.5 9.5 10.4 12.5C8.5 7.5 9 4.5 12 1Z",
    "darkblue": "M12 .8A3.4 3.4 0 0 1 13.7 7.2L13.7 8.7L18 8.7L18 11.5L13.7 11.5L13.7 19.6C16.5 19 18.6 17.2 19.3 14.8L17 15.6L21 10.8L23.5 16.6L21.8 15.8C21 20 17 23.3 12 23.3C7 23.3 3 20 2.2 15.8L.5 16.6L3 10.8L7 15.6L4.7 14.8C5.4 17.2 7.5 19 10.3 19.6L10.3 11.5L6 11.5L6 8.7L10.3 8.7L10.3 7.2A3.4 3.4 0 0 1 12 .8ZM12 3A1.2 1.2 0 1 0 12 5.4A1.2 1.2 0 1 0 12 3Z",
    "yellow": "M10 .5L12 .5L12 2C17 4 21 9 22 16.5L12 16.5L12 18.5L23 18.5L20 23.5L4.5 23.5L1 18.5L10 18.5L10 16.5L3 16.5C6 12 8 8 10 2ZM7 11.5L6.2 13L20.5 13L20 11.5ZM9.5 6.5L8.8 8L17.8 8L16.7 6.5Z",
    "orange": "M5 2L8.5 5.5L12 .8L15.5 5.5L19 2C21 9 19 14 13.3 15L13.3 18C15 15.5 18 14.5 21.5 15.5C20.5 19.5 17 21.5 13.3 21L13.3 23.5L10.7 23.5L10.7 21C7 21.5 3.5 19.5 2.5 15.5C6 14.5 9 15.5 10.7 18L10.7 15C5 14 3 9 5 2Z",
    "purple": "M16.5 1.5A11 11 0 1 0 22.5 16A8.6 8.6 0 1 1 16.5 1.5Z",
    "green": "M3 1L7 1L7 4L10 4L10 1L14 1L14 4L17 4L17 1L21 1L21 8L19 10L19 19L21.5 23.5L15 23.5L15 17A3 3 0 0 0 9 17L9 23.5L2.5 23.5L5 19L5 10L3 8Z",
    "grey": star(12, 12, 12, 4.6, 4) + star(12, 12, 8.8, 5.2, 4, -45),
}  # fmt: skip
