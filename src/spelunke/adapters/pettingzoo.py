"""The shelf in PettingZoo: seats in turn (AEC), or all at once (parallel).

    env = SpelunkeAEC("<game>", seats=3, options={...})

Agents are ``seat_0``, ``seat_1``, ... An observation is a dict of ``observation`` (float32) and ``action_mask`` (int8).
Rewards come with the end: from 1 for the first place to -1 for the last.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from spelunke.adapters.desk import Desk, Table
from spelunke.adapters.spaces import action_space, observation_space, show_table
from spelunke.core.chance import seed_stream
from spelunke.core.contract import OVER
from spelunke.core.errors import IllegalMove
from spelunke.games import find_game

Observation = dict[str, npt.NDArray[Any]]
RENDER_MODES = ("ansi", "human")


def _agents(table: Table) -> list[str]:
    return [f"seat_{seat}" for seat in range(table.seats)]


def _render(table: Table, desk: Desk, mode: str | None) -> str | None:
    if mode is None:
        return None
    text = show_table(table.game, desk.state)
    if mode == "ansi":
        return text
    print(text)
    return None


class SpelunkeAEC(AECEnv):  # type: ignore[misc]
    """Seats act one after the other. Where several act at once the lowest is asked first, and the others see nothing.

    Raises BadOption or BadInput for a table that can't be, IllegalMove for an action that the mask forbids.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "spelunke",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table = Table(find_game(game), seats, options)
        self.render_mode = render_mode
        self.possible_agents = _agents(self.table)
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(self.table) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self.table) for agent in self.possible_agents}
        self.desk = Desk(self.table)
        self.stream = seed_stream(0)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every seat."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Every action number of the game."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin anew; the same seed brings the same chance for the same actions."""
        self.stream = seed_stream(secrets.randbits(63) if seed is None else seed)
        self.desk = Desk(self.table)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.desk.draw(self.stream)
        self.agent_selection = self.possible_agents[max(self.desk.seat(), 0)]

    def observe(self, agent: str) -> Observation:
        """What the seat sees, and which actions it may take."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.desk.observe(seat), "action_mask": self.desk.mask(seat)}

    def step(self, action: Any) -> None:
        """Play an action number for the selected agent (None once it is over)."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.possible_agents.index(agent)
        if int(action) not in self.desk.legal(seat):
            raise IllegalMove(f"action {action} is not allowed for {agent} now; its action_mask says what is")
        self._cumulative_rewards[agent] = 0
        self.desk.play(seat, int(action))
        self.desk.draw(self.stream)
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

    def render(self) -> str | None:
        """The open table as text: returned (``ansi``) or printed (``human``)."""
        return _render(self.table, self.desk, self.render_mode)

    def close(self) -> None:
        """Nothing is held."""


class SpelunkeParallel(ParallelEnv):  # type: ignore[misc]
    """All seats answer every step. A seat that isn't asked has one legal action: to wait, the last number.

    Otherwise as :class:`SpelunkeAEC`; here, those who act at once truly do so in one step.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "spelunke", "render_modes": list(RENDER_MODES)}

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.table = Table(find_game(game), seats, options)
        self.render_mode = render_mode
        self.possible_agents = _agents(self.table)
        self.agents: list[str] = []
        self.wait = self.table.actions
        self.observation_spaces = {agent: observation_space(self.table, 1) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self.table, 1) for agent in self.possible_agents}
        self.desk = Desk(self.table)
        self.stream = seed_stream(0)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every seat."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Every action number of the game, and one more: to wait."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin anew; the same seed brings the same chance for the same actions."""
        self.stream = seed_stream(secrets.randbits(63) if seed is None else seed)
        self.desk = Desk(self.table)
        self.agents = list(self.possible_agents)
        self.desk.draw(self.stream)
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
        dict[str, dict[str, Any]],
    ]:
        """Play the actions of all who are asked; those of the others are not looked at."""
        who = self.desk.who()
        asked = [seat for seat in range(self.table.seats) if who > 0 and who >> seat & 1]
        for seat in asked:
            action = int(actions[self.possible_agents[seat]])
            if action not in self.desk.legal(seat):
                raise IllegalMove(
                    f"action {action} is not allowed for seat_{seat} now; its action_mask says what is"
                )
        for seat in asked:
            self.desk.play(seat, int(actions[self.possible_agents[seat]]))
        self.desk.draw(self.stream)
        over = self.desk.who() == OVER
        rewards = dict(zip(self.possible_agents, self.desk.payoffs(), strict=True))
        seen = self._observe()
        ended = dict.fromkeys(self.possible_agents, over)
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.possible_agents}
        return seen, rewards, ended, dict.fromkeys(self.possible_agents, False), infos

    def render(self) -> str | None:
        """The open table as text: returned (``ansi``) or printed (``human``)."""
        return _render(self.table, self.desk, self.render_mode)

    def close(self) -> None:
        """Nothing is held."""

    def state(self) -> npt.NDArray[np.float32]:
        """What all seats see, one after the other."""
        return np.concatenate([self.desk.observe(seat) for seat in range(self.table.seats)])
