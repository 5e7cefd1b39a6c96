"""The plain interface to a game: for scripts, scenarios, searchers and referees."""

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np

from . import drivers
from .chance import LOW_32, WORD, check_seed, fresh_seed, seed_streams
from .errors import GameOverError
from .numbers import whole_number
from .scene import Scene
from .spec import Block, GameSpec, Settings
from .starting import settle


def _by_address(name: str) -> "Game":
    from . import registry  # registry imports this module

    return registry.game(name)


def _plain_name(name: str) -> str:
    """An action's name without case, what stands round it, and kinds of gaps between its words."""
    return re.sub(r"[\s_-]+", " ", name.casefold().strip(" \t\n.,;!\"'`*_[](){}"))


def copied(records: np.ndarray) -> np.ndarray:
    """A copy of records as bytes: NumPy copies them field by field, which takes forty times as long."""
    return np.ndarray(records.shape, records.dtype, bytearray(records.tobytes()))  # type: ignore[call-overload]


class State:
    """One position of a game: a batch of one record, and the settings it is played by.

    Copy and pickle carry all of it, the chance stream included.

    Beside the record lies what the rules say of it: seat, mask, returns and whether it is over, worked out once in each
    position. Who holds the record may change it at any time; from then on the rules are asked at every call.
    """

    __slots__ = ("_known", "_lent", "_mask", "_records", "_returns", "_seat", "_status", "seed", "settings")

    def __init__(self, records: np.ndarray, settings: Settings, seed: int | None = None):
        self._hold(records, dict(settings), seed)
        self._lent = True  # the caller has the records, too

    def _hold(self, records: np.ndarray, settings: dict[str, Any], seed: int | None) -> "State":
        self._records = records
        self._lent = self._known = False
        self._mask: np.ndarray | None = None  # int8[num_actions]
        self._returns: np.ndarray | None = None  # float32[num_seats]
        self._seat, self._status = -1, 0
        self.settings = settings
        self.seed = seed  # what the game was dealt from, for the record; None where nobody knows
        return self

    @classmethod
    def of_own(cls, records: np.ndarray, settings: dict[str, Any], seed: int | None = None) -> "State":
        """A state whose records and settings nobody else holds."""
        return cls.__new__(cls)._hold(records, settings, seed)

    @property
    def records(self) -> np.ndarray:
        """Structured array, shape (1,): what is written there is the position."""
        self._lent, self._known = True, False
        return self._records

    @records.setter
    def records(self, records: np.ndarray) -> None:
        self._records = records
        self._lent, self._known = True, False

    @property
    def record(self) -> np.void:
        """The record itself, a view."""
        return self.records[0]

    def shown(self) -> "State":
        """The same record for those who only read it: what is known of it stays known."""
        return State(self._records, self.settings, self.seed)

    def __copy__(self) -> "State":
        twin = State.of_own(copied(self._records), self.settings.copy(), self.seed)
        if self._known:
            twin._mask, twin._returns = self._mask.copy(), self._returns.copy()  # type: ignore[union-attr]
            twin._seat, twin._status, twin._known = self._seat, self._status, True
        return twin

    def __deepcopy__(self, memo: dict) -> "State":
        return self.__copy__()

    def __getstate__(self) -> tuple:
        return (copied(self._records), self.settings, self.seed)

    def __setstate__(self, content: tuple) -> None:
        self._hold(*content)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        # Field by field, since padding is not part of a record. Entries beyond a pile's size are: compare dumps to
        # compare positions.
        return self.settings == other.settings and bool((self._records == other._records).all())

    __hash__ = None  # type: ignore[assignment]  # a state changes in place


class Game:
    """The rules of one game, as calls on states. Seats are numbers from 0, clockwise."""

    def __init__(self, spec: GameSpec):
        self.spec = spec
        # Usually one; all must be ready before a driver can be called without asking whether it is.
        sizes = (spec.default_players, spec.min_players, spec.max_players)
        self._layouts = {spec.state_dtype(spec.settings(size)) for size in sizes}
        modules = (spec.rules, spec.observation)
        self._deal = drivers.deal(*modules)
        self._look = drivers.look(*modules)
        self._play = drivers.play(*modules)
        self._observe = drivers.observe(*modules)
        self._truncated_score = drivers.truncated_score(*modules)
        self._resample = drivers.resample(*modules)

    def __repr__(self) -> str:
        return f"Game({self.spec.id!r})"

    def __reduce__(self) -> tuple:
        from . import registry

        return (_by_address, (registry.address(self.spec),))

    def empty_states(self, settings: Settings, count: int) -> np.ndarray:
        """``count`` records with the parameters written, nothing dealt and no chance stream."""
        records = np.empty(count, self.spec.state_dtype(settings))
        records.view(np.uint8).reshape(count, records.itemsize)[:] = np.frombuffer(
            self.spec.prepared(settings), np.uint8
        )
        return records

    def deal(self, records: np.ndarray) -> None:
        """Deals a new game into the first record, from its own chance stream."""
        self._deal(records, 0)

    def new_state(self, seed: int | None = None, num_players: int | None = None, **options: Any) -> State:
        """A newly dealt game; the same for the same seed (a whole number, 0 or more; None takes a fresh one)."""
        settings = self.spec.settings(num_players, **options)
        records = self.empty_states(settings, 1)
        seed = fresh_seed() if seed is None else seed
        records["rng"] = seed_streams(seed, 1)
        settle(self, self._layouts)
        self._deal(records, 0)
        return State.of_own(records, settings, int(seed))

    def load(self, scenario: Mapping[str, Any] | str) -> State:
        """The position that a scenario (a dict, or its JSON text) describes; ValueError names a field that is wrong."""
        if isinstance(scenario, str):
            try:
                scenario = json.loads(scenario)
            except json.JSONDecodeError as error:
                raise ValueError(f"scenario: not JSON ({error})") from None
        if not isinstance(scenario, Mapping):
            raise ValueError(f"scenario: a JSON object is wanted, not {type(scenario).__name__}")
        return self.clone(self.spec.scenario.load(self, scenario))

    def dump(self, s: State) -> dict[str, Any]:
        """The whole position as a JSON-able scenario, hidden cards and chance stream included; ``load`` inverts it."""
        return self.spec.scenario.dump(s.shown())

    def clone(self, s: State) -> State:
        """An independent copy."""
        return s.__copy__()

    def num_seats(self, s: State) -> int:
        """Seats at the table."""
        return self.spec.num_seats(s.settings)

    def current_player(self, s: State) -> int:
        """The seat to act, -1 when the game is over."""
        if not s._known:
            self._ask(s)
        return s._seat

    def action_mask(self, s: State) -> np.ndarray:
        """int8[num_actions] of the seat to act: 1 is legal; all 0 when the game is over."""
        return self._mask(s).copy()

    def legal_actions(self, s: State) -> list[int]:
        """Legal actions of the seat to act, ascending; empty when the game is over."""
        return self._mask(s).nonzero()[0].tolist()

    def _mask(self, s: State) -> np.ndarray:
        if not s._known:
            self._ask(s)
        return s._mask  # type: ignore[return-value]

    def _ask(self, s: State) -> None:
        """Has the rules say anew what a state knows of its record."""
        if s._mask is None or s._returns is None:
            s._mask = np.zeros(self.spec.num_actions, np.int8)
            s._returns = np.zeros(self.num_seats(s), np.float32)
        answer = int(self._look(s._records, 0, s._mask, s._returns))
        s._seat, s._status = answer >> drivers.SEAT_SHIFT, answer & drivers.STATUS
        s._known = not s._lent

    def action_name(self, action: int, of: State | Settings | None = None) -> str:
        """The name of an action; ValueError for a number that is none.

        Names can depend on the settings: ``of`` is the state, or the settings, of the game that it is an action of;
        None stands for the default settings.
        """
        if not isinstance(action, int | np.integer) or not 0 <= action < self.spec.num_actions:
            raise ValueError(f"action={action!r}: allowed is a whole number from 0 to {self.spec.num_actions - 1}")
        return self._action_names(of)[action]

    def action(self, name: str, of: State | Settings | None = None) -> int:
        """The number of an action by its name, in any case, with or without brackets and quotes round it.

        ``of`` is as in ``action_name``. A name that is none is a ValueError; where ``of`` is a state it tells what is
        legal there, else all actions.
        """
        names = self._action_names(of)
        if name in names:
            return names.index(name)
        plain = [_plain_name(one) for one in names]
        wanted = _plain_name(name) if isinstance(name, str) else ""
        if plain.count(wanted) == 1:
            return plain.index(wanted)
        near = get_close_matches(wanted, plain, 1)
        hint = f"did you mean {names[plain.index(near[0])]!r}? " if near else ""
        told = f"{self.spec.name} knows {', '.join(names)}"
        if isinstance(of, State):
            told = (
                f"legal now: {', '.join(names[one] for one in self.legal_actions(of)) or 'nothing, the game is over'}"
            )
        raise ValueError(f"action {name!r}: {hint}{told}")

    def _action_names(self, of: State | Settings | None) -> tuple[str, ...]:
        settings = of.settings if isinstance(of, State) else of
        return self.spec.action_names(self.spec.settings() if settings is None else settings)

    def apply_action(self, s: State, action: int) -> None:
        """Plays an action of the seat to act, in place.

        Raises:
            IllegalActionError: the rules do not allow it now; nothing has changed.
            GameOverError: the game has ended.
        """
        mask = self._mask(s)
        if s._seat < 0:
            raise GameOverError(self.spec.name)
        number = whole_number(action)
        if not 0 <= number < len(mask) or not mask[number]:
            agent = self.spec.agent_names(s.settings)[s._seat]
            raise self.spec.illegal_action(s.settings, agent, action, np.flatnonzero(mask).tolist())
        s._known = False
        answer = int(self._play(s._records, 0, number, mask, s._returns))
        s._seat, s._status = answer >> drivers.SEAT_SHIFT, answer & drivers.STATUS
        s._known = not s._lent

    def is_terminal(self, s: State) -> bool:
        """Whether the game is over, truncated or not."""
        if not s._known:
            self._ask(s)
        return s._status > 0

    def is_truncated(self, s: State) -> bool:
        """Whether the decision cap ended the game."""
        if not s._known:
            self._ask(s)
        return s._status == 2

    def returns(self, s: State) -> np.ndarray:
        """Payoffs so far, float32[num_seats]."""
        if not s._known:
            self._ask(s)
        return s._returns.copy()  # type: ignore[union-attr]

    def truncated_returns(self, s: State) -> np.ndarray:
        """What a game counts as in learning that is truncated here: ranked by its own rule, float32[num_seats]."""
        out = np.zeros(self.num_seats(s), np.float32)
        self._truncated_score(s._records, 0, out)
        return out

    def observation(self, s: State, seat: int) -> np.ndarray:
        """What a seat observes, float32[D]; the blocks say what lies where. Any seat, also when over."""
        out = np.zeros(self.spec.observation_size(s.settings), np.float32)
        self._observe(s._records, 0, self._check_seat(s, seat), out)
        return out

    def resample(self, s: State, seat: int, seed: int | None = None) -> State:
        """A copy in which all that the seat cannot know is dealt anew, in agreement with what it knows."""
        seat, seed = self._check_seat(s, seat), fresh_seed() if seed is None else check_seed(seed)
        records = copied(s._records)
        low, high = seed & LOW_32, seed >> 32
        if seed >= WORD:
            records["rng"], low, high = seed_streams(seed, 1), -1, 0
        self._resample(records, 0, seat, low, high)
        return State.of_own(records, s.settings.copy())

    def describe(self, s: State, seat: int | None = None) -> str:
        """The position in words, as a seat sees it; None tells all."""
        return self.spec.display.describe(s.shown(), seat if seat is None else self._check_seat(s, seat))

    def scene(self, s: State, seat: int | None = None) -> Scene:
        """The position as a picture's parts, as a seat sees it; None shows all."""
        return self.spec.display.scene(s.shown(), seat if seat is None else self._check_seat(s, seat))

    def blocks(self, num_players: int | None = None, **options: Any) -> tuple[Block, ...]:
        """The observation's named parts."""
        return self.spec.blocks(self.spec.settings(num_players, **options))

    def _check_seat(self, s: State, seat: int) -> int:
        if not isinstance(seat, int | np.integer) or not 0 <= seat < self.num_seats(s):
            raise ValueError(f"seat={seat!r}: allowed is a whole number from 0 to {self.num_seats(s) - 1}")
        return int(seat)
