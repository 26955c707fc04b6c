"""A bot that communicates over stdin and stdout.

It plays any game: the move with the most promising word, or else a random one.

    spelunke arena GAME greedy "process:python examples/line_bot.py"

Each line of the input is a JSON object. To {"ask": "hello", ...} answer with a name; to {"ask": "move",
"view": ..., "legal": [...]} answer with one of the legal moves, as text. End when the input ends.
"""

import json
import random
import sys


def choose(view: dict, legal: list[str]) -> str:
    """Pick one of the legal moves. `view` holds all that the seat may see, in the game's own words."""
    busy = [move for move in legal if move.split()[0] not in {"pass", "wait"}]
    return random.choice(busy or legal)


def main() -> None:
    random.seed(1)
    for line in sys.stdin:
        question = json.loads(line)
        if question["ask"] == "hello":
            answer = "line-bot"
        else:
            answer = choose(question["view"], question["legal"])
        print(answer, flush=True)


if __name__ == "__main__":
    main()
