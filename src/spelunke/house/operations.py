"""All operations at a table: name, input, permission, method and buttons.

`OPERATIONS` is the source for the API, its OpenAPI document, the forms and buttons of a table's page, and the
table in docs/protocol.md. To add an operation, write a method in a service of the `House`, and an entry in
`OPERATIONS`. If the method takes more than the table and the person, write an input class too.
"""

from __future__ import annotations

from collections.abc import Mapping

from spelunke.core.words import plain
from spelunke.house.inputs import (
    ActIn,
    AgainIn,
    DraftIn,
    DrawIn,
    FillIn,
    GoOnIn,
    InviteIn,
    JoinIn,
    LessonIn,
    NonceIn,
    NudgeIn,
    PlayOnIn,
    ReactIn,
    ResignIn,
    SayIn,
    ShowIn,
    StandingIn,
    StandInIn,
    TakeBackIn,
    UndoIn,
)
from spelunke.house.operation import Button, Operation
from spelunke.house.refusals import TooFast

REACTIONS = {
    "cheers": plain("Cheers!"),
    "bravo": plain("Bravo!"),
    "haha": plain("Ha ha!"),
    "ouch": plain("Ouch!"),
    "hm": plain("Hm …"),
    "thanks": plain("Thanks!"),
}
"""The text that people see for each reaction, by the reaction's name in requests."""


OPERATIONS: Mapping[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation(
            "join",
            lambda house: house.lobby.join,
            "Sit down",
            JoinIn,
            may=("join", "sit_down"),
            answer="seat",
            welcomes=True,
            then="table",
        ),
        Operation(
            "leave",
            lambda house: house.lobby.leave,
            "Leave the table before the start; if the host leaves, the table closes",
            may=("leave",),
            then="front",
            buttons=(Button(label=plain("Leave the table"), style="quiet", place="waiting", order=80),),
        ),
        Operation(
            "nonce",
            lambda house: house.lobby.add_nonce,
            "Send your nonce, so that you have a share in the chance",
            NonceIn,
            may=("nonce",),
        ),
        Operation(
            "start",
            lambda house: house.lobby.start,
            "Start now",
            may=("start",),
            buttons=(Button(label=plain("Start now"), style="primary big", place="waiting"),),
        ),
        Operation(
            "fill", lambda house: house.lobby.fill, "Put bots on free seats (the host)", FillIn, may=("fill",)
        ),
        Operation(
            "act",
            lambda house: house.play.act,
            "Play a move",
            ActIn,
            answer="acted",
            brief=True,
            page="board",
        ),
        Operation(
            "take-back",
            lambda house: house.play.take_back,
            "Take your sealed choice back",
            TakeBackIn,
            may=("take_back",),
            answer="acted",
            brief=True,
            buttons=(Button(label=plain("Take my choice back"), order=30, unless_board=True),),
        ),
        Operation(
            "undo",
            lambda house: house.undoing.undo,
            "Take your newest move back against bots, ask other people for it, or answer them",
            UndoIn,
            may=("undo", "ask_undo", "answer_undo"),
            answer="acted",
            buttons=(
                Button(label=plain("Undo"), place="undo", fields={"answer": "ask"}, key="u"),
                Button(
                    label=plain("Ask to undo"),
                    may="ask_undo",
                    place="undo",
                    fields={"answer": "ask"},
                    key="u",
                ),
                Button(
                    label=plain("Yes, undo it"),
                    may="answer_undo",
                    style="primary",
                    fields={"answer": "agree"},
                    order=10,
                    place="news",
                ),
                Button(
                    label=plain("No"), may="answer_undo", fields={"answer": "refuse"}, order=20, place="news"
                ),
            ),
        ),
        Operation(
            "resign",
            lambda house: house.play.resign,
            "Resign; while at least two seats have not resigned, the game goes on, and a bot plays for your seat",
            ResignIn,
            may=("resign",),
            answer="acted",
            once=True,
            buttons=(
                Button(
                    label=plain("Resign"),
                    style="danger",
                    order=70,
                    confirm=(
                        plain(
                            "You give up the game. If two or more others go on, a bot plays in your place."
                        ),
                        plain("Yes, resign"),
                    ),
                    for_two=plain("You give up the game, and the other player wins."),
                ),
            ),
        ),
        Operation(
            "draw",
            lambda house: house.play.answer_draw,
            "Offer a draw, or answer the offer",
            DrawIn,
            may=("offer_draw", "accept_draw", "decline_draw"),
            answer="acted",
            buttons=(
                Button(
                    label=plain("Accept the draw"),
                    may="accept_draw",
                    style="primary",
                    fields={"answer": "accept"},
                    order=10,
                    place="news",
                ),
                Button(
                    label=plain("Decline"),
                    may="decline_draw",
                    fields={"answer": "decline"},
                    order=20,
                    place="news",
                ),
                Button(
                    label=plain("Offer a draw"),
                    may="offer_draw",
                    style="quiet",
                    fields={"answer": "offer"},
                    order=50,
                ),
            ),
        ),
        Operation(
            "rematch",
            lambda house: house.next_games.rematch,
            "Offer the next game, or accept it; returns its table",
            may=("rematch", "accept_rematch"),
            answer="table",
            then="table",
            buttons=(
                Button(
                    label=plain("Offer a rematch"),
                    from_position=plain("Offer a rematch from the start"),
                    style="primary",
                    place="result",
                    among_people=True,
                ),
                Button(
                    label=plain("Accept the rematch"),
                    from_position=plain("Accept a rematch from the start"),
                    may="accept_rematch",
                    style="primary",
                    place="news",
                ),
            ),
        ),
        Operation(
            "again",
            lambda house: house.next_games.again,
            "Play the next game against bots alone, at the same level or another; returns its table",
            AgainIn,
            may=("rematch",),
            answer="table",
            then="table",
        ),
        Operation(
            "decline-rematch",
            lambda house: house.next_games.decline_rematch,
            "Decline the next game",
            may=("decline_rematch",),
            buttons=(Button(label=plain("Decline the rematch"), place="news"),),
        ),
        Operation(
            "play-on",
            lambda house: house.next_games.play_on,
            "Play on from a position of a finished game against bots, at a table of its own",
            PlayOnIn,
            may=("play_on",),
            answer="table",
            welcomes=True,
            then="table",
        ),
        Operation(
            "analyse",
            lambda house: house.analyses.begin,
            "Analyse a finished game; everybody then sees the analysis, and `GET .../analysis` shows its progress",
            may=("analyse",),
            raises=(TooFast,),
            welcomes=True,
            then="replay",
        ),
        Operation(
            "hint",
            lambda house: house.coach.advise,
            "Show the values of possible moves (only in a game against bots)",
            may=("hint",),
            answer="advice",
            raises=(TooFast,),
            safe=True,
            page="board",
        ),
        Operation(
            "dismiss-summary",
            lambda house: house.play.dismiss_summary,
            "Go on from the summary of a round",
            may=("dismiss_summary",),
        ),
        Operation(
            "recall",
            lambda house: house.play.recall_summary,
            "Show the summary of the last round again",
            may=("recall",),
            buttons=(Button(label=plain("Last result"), style="quiet", order=45),),
        ),
        Operation(
            "stand-in",
            lambda house: house.play.stand_in,
            "Let a bot play for your seat",
            StandInIn,
            may=("stand_in",),
            answer="acted",
            buttons=(
                Button(
                    label=plain("Let a bot play for me"),
                    style="quiet",
                    confirm=(
                        plain("A bot decides for you until you take over from it. It may play at once."),
                        plain("Yes, let a bot play"),
                    ),
                ),
            ),
        ),
        Operation(
            "come-back",
            lambda house: house.play.come_back,
            "Take your seat back",
            may=("come_back",),
            answer="acted",
            buttons=(Button(label=plain("Take over from the bot"), style="primary", order=40, place="news"),),
        ),
        Operation(
            "invite",
            lambda house: house.inviting.invite,
            "Invite a member to a free seat (the host)",
            InviteIn,
            may=("invite",),
            raises=(TooFast,),
        ),
        Operation(
            "nudge",
            lambda house: house.going_on.nudge,
            "Remind an absent player",
            NudgeIn,
            may=("nudge",),
            answer="acted",
        ),
        Operation(
            "go-on",
            lambda house: house.going_on.go_on,
            "Go on without a player who has been absent too long",
            GoOnIn,
            may=("let_bot", "take_win", "call_off"),
            answer="acted",
        ),
        Operation(
            "lesson",
            lambda house: house.play.go_on_in_lesson,
            "Go on in a lesson",
            LessonIn,
            may=("read_on", "go_alone"),
            answer="acted",
            buttons=(
                Button(
                    label=plain("Play on without the lesson"),
                    may="go_alone",
                    style="quiet",
                    fields={"way": "alone"},
                    place="lesson",
                    order=20,
                ),
            ),
        ),
        Operation(
            "chat",
            lambda house: house.chat.say,
            "Send a chat message",
            SayIn,
            may=("chat",),
            raises=(TooFast,),
            welcomes=True,
        ),
        Operation(
            "react",
            lambda house: house.reactions.react,
            "Show a reaction beside your portrait",
            ReactIn,
            may=("react",),
            raises=(TooFast,),
            buttons=tuple(
                Button(label=label, fields={"word": word}, style="quiet", place="react")
                for word, label in REACTIONS.items()
            ),
        ),
        Operation(
            "show-hand",
            lambda house: house.showing.show,
            "Let spectators see what your seat sees, or stop that",
            ShowIn,
            may=("show_hand", "hide_hand"),
            buttons=(
                Button(
                    label=plain("Let spectators see my hand"),
                    may="show_hand",
                    style="quiet",
                    fields={"shown": "true"},
                    order=62,
                    confirm=(
                        plain(
                            "Everybody who watches can then see everything that you see. Your opponents can see it too."
                        ),
                        plain("Yes, show it"),
                    ),
                ),
                Button(
                    label=plain("Hide my hand from spectators"),
                    may="hide_hand",
                    style="quiet",
                    fields={"shown": "false"},
                    order=62,
                ),
            ),
        ),
        Operation(
            "standing",
            lambda house: house.play.set_orders,
            "Set the game's own standing orders",
            StandingIn,
            may=("standing",),
            method="PUT",
            page="board",
        ),
        Operation(
            "draft",
            lambda house: house.looks.consider,
            "Preview the picked cards or orders for your seat alone; changes nothing in the game",
            DraftIn,
            answer="considered",
            safe=True,
            brief=True,
            page="board",
        ),
    )
}
