"""The pages of the game of the day: today's games, results, the comparison with others, and the archive."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spelunke.analysis.analysis import Decision, Total
from spelunke.games.game import Game
from spelunke.house.daily import PAGE, Day, DayMark, Others, Standing
from spelunke.house.house import House
from spelunke.house.refusals import NotNow
from spelunke.house.study import AnalysisLook, Teller
from spelunke.web.pages import known_game, picture_of, site_of
from spelunke.web.parts.games import render_day
from spelunke.web.profile_pages import last_page, read_page
from spelunke.web.refusal import Refusal, translate_refusal
from spelunke.web.site import playable
from spelunke.web.threads import call
from spelunke.web.words import translate as _
from spelunke.web.words import translator

TODAY = "today"


@dataclass(frozen=True)
class Choice:
    """A decision of the person, compared with other people's choices.

    ``came`` is the number of people who reached the same position. Of these people, ``most_share`` percent made the
    most frequent choice (``most``), and ``own_share`` percent made the person's own choice. ``cost`` is the loss in
    the chance to win, from 0 to 1, or None without an analysis. ``best`` is empty if the person made the best
    choice, or without an analysis.
    """

    ply: int
    played: str
    most: str
    most_share: int
    own_share: int
    came: int
    best: str
    cost: float | None
    secret: bool

    @property
    def differs(self) -> bool:
        """Whether the choice differs from the most frequent one, or lowered the chance to win by 0.005 or more."""
        return self.played != self.most or (self.cost is not None and self.cost >= 0.005)


@dataclass(frozen=True)
class Square:
    """A day in the calendar of a month.

    ``mark`` has the number of the person's results of that day, and the number of wins among them. If the person has no
    result that counts, ``mark`` is None.
    """

    day: date
    mark: DayMark | None
    today: bool


def look_today(house: House, reader: str | None) -> list[tuple[Game, Day, Standing | None, int]]:
    """Return for each game: the game, its `Day` for today, the reader's standing, and the number of results that count.

    The standing is the state and the rank of the reader's own game. It is None for an unknown reader, and if the reader
    has not begun today's game. First create the missing seeds of today and the coming days (`Days.bind`). This call
    blocks.
    """
    house.days.bind()
    today = house.days.today().isoformat()
    found = []
    for game in sorted(playable(), key=lambda game: (game.place, game.title)):
        day = house.days.of(game.name, today)
        mine = house.day_results.standing(reader, day) if reader else None
        found.append((game, day, mine, house.day_results.count(day)))
    return found


async def show_days(request: Request) -> Response:
    """Show today's games, the person's streak, and a calendar of one month (`?month=`) with the person's results.

    Refuse a month before 2020 or in the future.
    """
    site = site_of(request)
    house, me = site.house, await site.guest(request)
    today = house.days.today()
    month = _read_month(request, today)
    cards = await call(look_today, house, me.id if me else None)
    last = month.replace(day=monthrange(month.year, month.month)[1])
    marks = await call(house.day_results.marks, me.id, month, last) if me else ()
    before, after = month - timedelta(1), last + timedelta(1)
    return await site.page(
        request,
        "daily.html",
        me=me,
        here="/daily",
        cards=[(game, picture_of(game), translator(game), day, mine, n) for game, day, mine, n in cards],
        streak=await call(house.day_results.streak, me.id) if me else None,
        month=month,
        squares=_squares(month, last, marks, today),
        blanks=month.weekday(),
        before=f"{before:%Y-%m}",
        after=f"{after:%Y-%m}" if after <= today else "",
        ends=render_day(cards[0][1].ends_ms) if cards else "",
    )


def _read_month(request: Request, today: date) -> date:
    text = request.query_params.get("month", "")
    if not text:
        return today.replace(day=1)
    try:
        found = date.fromisoformat(f"{text}-01")
    except ValueError:
        raise Refusal(400, "field_wrong", _("Write the month in this form: 2026-11.")) from None
    if not date(2020, 1, 1) <= found <= today:
        raise Refusal(404, "not_found", _("Nothing was played in that month."))
    return found


def _squares(first: date, last: date, marks: tuple[DayMark, ...], today: date) -> list[Square]:
    known = {mark.day: mark for mark in marks}
    days = [first + timedelta(n) for n in range((last - first).days + 1)]
    return [Square(day, known.get(day.isoformat()), day == today) for day in days]


def day_in(request: Request, house: House) -> str:
    """Return the day in the request's address. In the address, `today` means the present day."""
    text: str = request.path_params["day"]
    return house.days.today().isoformat() if text == TODAY else text


async def show_day(request: Request) -> Response:
    """Show the results of a day. Until the day is over, show them only to people who have finished their game."""
    site = site_of(request)
    house, me = site.house, await site.guest(request)
    game = known_game(request.path_params["game"])
    reader = me.id if me else None
    page = read_page(request.query_params.get("page", ""))
    day = await call(house.days.of, game.name, day_in(request, house))
    mine = await call(house.day_results.standing, reader, day) if reader else None
    try:
        lines, count = await call(house.day_results.lines, day, reader, page)
    except NotNow:
        lines, count, page = (), await call(house.day_results.count, day), 1
    friends = await call(house.day_results.friends, day, reader) if reader else ()
    return await site.page(
        request,
        "day.html",
        me=me,
        share=site.share(request, f"{game.title}, {day.day}", f"/daily/{game.name}/{day.day}/picture.png"),
        here="/daily",
        game=game,
        tell=translator(game),
        day=day,
        mine=mine,
        lines=lines,
        friends=friends,
        count=count,
        page=page,
        pages=last_page(count, page, PAGE) if lines or page > 1 else 1,
        archive=await call(house.days.archive, game.name),
        turn=f"/daily/{game.name}/{day.day}?",
        moment=render_day,
        hidden=not lines and count > 0,
    )


async def compare_day(request: Request) -> Response:
    """Show the person's decisions for which `Choice.differs` is true, and the person's luck.

    Raise NotNow for people who have not finished their game of the day.
    """
    site = site_of(request)
    house, me = site.house, await site.guest(request)
    game = known_game(request.path_params["game"])
    day = await call(house.days.of, game.name, day_in(request, house))
    if me is None:
        raise NotNow(
            "you can compare your decisions only after you have finished your game of that day; a game from the "
            "archive does not count"
        )

    def look() -> tuple[Standing, list[Choice], AnalysisLook, Total | None]:
        others = house.day_results.others(me.id, day)
        mine = house.day_results.standing(me.id, day)
        assert mine is not None
        study = house.analyses.look(mine.table, me.id)
        seat = house.replays.look(mine.table, me.id).seat or 0
        teller = Teller(house.replays.course(mine.table, me.id), translator(game))
        decided = {one.ply: one for one in study.analysis.decisions} if study.analysis else {}
        choices = [_choice(one, teller, decided.get(one.ply)) for one in others]
        total = study.analysis.totals[seat] if study.analysis else None
        return mine, choices, study, total

    mine, choices, study, total = await call(look)
    return await site.page(
        request,
        "day_compare.html",
        me=me,
        here="/daily",
        game=game,
        day=day,
        mine=mine,
        choices=[one for one in choices if one.differs],
        all=len(choices),
        study=study,
        problem=translate_refusal(study.problem),
        total=total,
    )


def _choice(one: Others, teller: Teller, decided: Decision | None) -> Choice:
    counts = dict(one.counts)
    best = decided.alternatives[0].move if decided is not None and decided.alternatives else ""
    same = one.most == one.played or counts.get(one.played) == counts[one.most]
    most = one.played if same else one.most
    return Choice(
        ply=one.ply,
        played=teller.to_player(one.ply, one.played),
        most=teller.to_player(one.ply, most),
        most_share=round(100 * counts[most] / one.all) if most in counts else 0,
        own_share=round(100 * counts.get(one.played, 0) / one.all),
        came=one.all,
        best=teller.to_player(one.ply, best) if best and best != one.played else "",
        cost=None if decided is None else decided.cost_chance,
        secret=decided is not None and decided.secret,
    )


async def play_day(request: Request) -> Response:
    """Begin or continue a day's game, and redirect to its table. An unknown visitor becomes a guest."""
    site = site_of(request)
    game = known_game(request.path_params["game"])
    site.hurry(game)
    day = day_in(request, site.house)
    await call(site.house.days.of, game.name, day)
    me = await site.welcome(request)
    table = await call(site.house.days.play, me.id, game.name, day)
    response = RedirectResponse(f"/t/{table}", 303)
    site.remember(request, response, me)
    return response


def routes() -> list[Route]:
    """Return the routes of the game of the day."""
    return [
        Route("/daily", show_days),
        Route("/daily/{game}/{day}", show_day, methods=["GET"]),
        Route("/daily/{game}/{day}", play_day, methods=["POST"]),
        Route("/daily/{game}/{day}/compare", compare_day),
    ]
