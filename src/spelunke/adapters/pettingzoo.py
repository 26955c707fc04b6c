"""The registered games in PettingZoo: with one agent to act at a time (AEC), or all agents at once (parallel).

    env = SpelunkeAEC("<game>", seats=3, options={...})

Agents are ``seat_0``, ``seat_1``, ... An observation is a dict of ``observation`` (float32) and ``action_mask`` (int8).
Rewards come at the end: from 1 for the first place to -1 for the last.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import ClassVar, SupportsInt, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from spelunke.adapters.desk import Desk, Table
from spelunke.adapters.spaces import action_space, check_render_mode, observation_space, show_table
from spelunke.core.chance import seed_stream
from spelunke.core.contract import OVER
from spelunke.core.errors import IllegalMove
from spelunke.games import find_game

Observation: TypeAlias = dict[str, npt.NDArray[np.generic]]
Info: TypeAlias = dict[str, object]
RENDER_MODES = ("ansi", "human")


class _Seats:
    """The common part of the AEC and the parallel environment: the table, its agents and spaces, and the match.

    The constructor raises BadInput for an unknown game or ``render_mode``, and BadOption or BadInput for options or
    seats that the game doesn't allow.
    """

    EXTRA: ClassVar[int] = 0
    """The number of actions that the environment adds after the game's own actions."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table = Table(find_game(game), seats, options)
        self.render_mode = check_render_mode(render_mode, RENDER_MODES)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.table.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: observation_space(self.table, self.EXTRA) for agent in self.possible_agents
        }
        self.action_spaces = {agent: action_space(self.table, self.EXTRA) for agent in self.possible_agents}
        self._begin(0)

    def _begin(self, seed: int | None) -> None:
        self.stream = seed_stream(secrets.randbits(63) if seed is None else seed)
        self.desk = Desk(self.table)

    def observation_space(self, agent: str) -> spaces.Space[object]:
        """Return the observation space. It is the same for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[object]:
        """Return the space of the game's action numbers. It is the same for every agent.

        In the parallel environment, the space has one more number, which means to wait.
        """
        return self.action_spaces[agent]

    def _check(self, seat: int, action: int) -> None:
        """Raise IllegalMove if the action is not legal for the seat."""
        if action not in self.desk.legal(seat):
            raise IllegalMove(
                f"action {action} is not allowed for {self.possible_agents[seat]} now; its action_mask says what is"
            )

    def render(self) -> str | None:
        """Return a spectator's view of the table as text (``ansi``), or print this text (``human``).

        Without a render mode, do nothing.
        """
        if self.render_mode is None:
            return None
        text = show_table(self.table.game, self.desk.state)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing, because the environment holds no resources."""


class SpelunkeAEC(_Seats, AECEnv):  # type: ignore[misc]
    """A table as a PettingZoo AEC environment, in which seats act one after the other.

    If several seats may act at the same time, the lowest seat acts first. Its sealed choice stays hidden, but later
    seats know choices that the rules show immediately, such as a call that all can hear.

    The constructor raises BadInput for an unknown game or ``render_mode``, and BadOption or BadInput for options or
    seats that the game doesn't allow. :meth:`step` raises IllegalMove for an action that the mask forbids.
    """

    metadata: ClassVar[Info] = {
        "name": "spelunke",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
    }

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Start a new game. The same seed and the same actions give the same game."""
        self._begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {agent: {} for agent in self.agents}
        self.desk.decide_chance(self.stream)
        self.agent_selection = self.possible_agents[max(self.desk.seat(), 0)]

    def observe(self, agent: str) -> Observation:
        """Return the seat's features and its action mask."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.desk.observe(seat), "action_mask": self.desk.mask(seat)}

    def step(self, action: SupportsInt | None) -> None:
        """Play the action with this number for the selected agent. After the game, ``action`` must be None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.possible_agents.index(agent)
        number = int(cast("SupportsInt", action))
        self._check(seat, number)
        self._cumulative_rewards[agent] = 0
        self.desk.play(seat, number)
        self.desk.decide_chance(self.stream)
        following = self.desk.seat()
        if following == OVER:
            self.rewards = dict(zip(self.possible_agents, self.desk.payoffs(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            following = (seat + 1) % self.table.seats
        else:
            self._clear_rewards()
        self.agent_selection = self.possible_agents[following]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()


class SpelunkeParallel(_Seats, ParallelEnv):  # type: ignore[misc]
    """A table as a PettingZoo parallel environment, in which every seat gives an action in every step.

    A seat that may not act now has one legal action: to wait. This action has the largest number, :attr:`wait`.

    If several seats may act, they all act in the same step. Their actions count as simultaneous. For example, if two
    seats call for the same card, neither is the first. If the action of a lower seat makes the action of a higher
    seat illegal, the higher seat's action is skipped. For errors, see :class:`SpelunkeAEC`.
    """

    metadata: ClassVar[Info] = {"name": "spelunke", "render_modes": list(RENDER_MODES)}

    EXTRA: ClassVar[int] = 1

    @property
    def wait(self) -> int:
        """The number of the action that means to wait."""
        return self.table.actions

    def reset(
        self, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Start a new game. The same seed and the same actions give the same game."""
        self._begin(seed)
        self.agents = list(self.possible_agents)
        self.desk.decide_chance(self.stream)
        return self._observe(), {agent: {} for agent in self.agents}

    def _observe(self) -> dict[str, Observation]:
        found: dict[str, Observation] = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = self.desk.mask(seat, 1)
            mask[self.wait] = not mask.any()
            found[agent] = {"observation": self.desk.observe(seat), "action_mask": mask}
        return found

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, Info],
    ]:
        """Play the actions of all seats that may act. Ignore the actions of other seats."""
        who = self.desk.who()
        given = [
            (seat, int(actions[agent]))
            for seat, agent in enumerate(self.possible_agents)
            if who > 0 and who >> seat & 1
        ]
        for seat, action in given:
            self._check(seat, action)
        for seat, action in self.desk.meet(given):
            self.desk.play(seat, action)
        self.desk.decide_chance(self.stream)
        over = self.desk.who() == OVER
        rewards = dict(zip(self.possible_agents, self.desk.payoffs(), strict=True))
        seen = self._observe()
        ended = dict.fromkeys(self.possible_agents, over)
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        infos: dict[str, Info] = {agent: {} for agent in self.possible_agents}
        return seen, rewards, ended, dict.fromkeys(self.possible_agents, False), infos

    def state(self) -> npt.NDArray[np.float32]:
        """Return the features of all seats in one array, one seat after the other."""
        return np.concatenate([self.desk.observe(seat) for seat in range(self.table.seats)])
