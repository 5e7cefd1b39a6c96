"""Does a game keep the contract? ``check_game`` plays it and says so, point by point, without raising.

It knows no game, so it serves for games of your own as well. The points that need an adapter are in
``envs.conformance.check``, whose ``check_game`` makes all of them. Some points need functions that a game may leave
out (``GameSpec.hooks``), and say so where it does.
"""

import copy
import json
import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

from ..core import drivers, registry
from ..core.errors import GameOverError, IllegalActionError
from ..core.game import Game, State
from ..core.spec import GameSpec
from .case import FOLLOWED, Case
from .exchange import Exchange
from .replay import Step, Stretch, checksum, difference, pick, steps, trace, trace_elsewhere
from .report import Fault, Line, Report, require

TURNED = 8  # decisions that a turned table or a loaded scenario is followed
DRAWS = 3  # resamplings looked at, per position and seat
SOME_SEEDS = (0, 1, 2**64, 2**200)


class Buffer:
    """An array for compiled code to write into, with a margin on both sides that it must leave alone."""

    MARGIN = 16

    def __init__(self, size: int, dtype: Any):
        self.whole = np.zeros(size + 2 * self.MARGIN, dtype)
        self.inside = self.whole[self.MARGIN : self.MARGIN + size]

    def fill(self, value: float) -> np.ndarray:
        """The inside, every entry (and the margin) being that value."""
        self.whole[:] = value
        return self.inside

    def check_margin(self, what: str) -> None:
        """Raises Fault if something was written outside."""
        margin = np.concatenate((self.whole[: self.MARGIN], self.whole[-self.MARGIN :]))
        require(
            margin.tobytes() == np.full_like(margin, margin[0]).tobytes(), f"{what} is written beyond its end or start"
        )


# -- 1, 12: playing ---------------------------------------------------------------------------------------------------


def play_games(case: Case) -> str:
    """Plays random games, looking at every position."""
    bound = case.game.spec.parameters.length_bound(case.settings)
    mask = Buffer(case.game.spec.num_actions, np.int8)
    for seed in case.seeds:
        random, s = Random(seed), case.deal(seed)
        actions: list[int] = []
        case.at(seed, 0)
        while (legal := _legal_actions(case, s, mask)) and len(actions) <= bound:
            actions.append(pick(random, legal))
            case.game.apply_action(s, actions[-1])
            case.at(seed, len(actions))
        case.actions[seed], case.finals[seed] = actions, s
    case.place = ""
    return f"{len(case.seeds)} games, {sum(map(len, case.actions.values())):,} decisions"


def _legal_actions(case: Case, s: State, mask: Buffer) -> list[int]:
    game = case.game
    returns = np.zeros(len(case.seats), np.float32)
    seat = drivers.look(*case.modules)(s.records, 0, mask.fill(77), returns) >> drivers.SEAT_SHIFT
    mask.check_margin("the mask")
    require(np.isin(mask.inside, (0, 1)).all(), "an entry of the mask is neither 0 nor 1, or not written")
    legal = np.flatnonzero(mask.inside).tolist()
    over = game.is_terminal(s)
    if over:
        require(seat == -1, f"the game is over, yet seat {seat} is to act")
        require(not legal, f"the game is over, yet {legal} are legal")
    else:
        require(seat in case.seats, f"the seat to act is {seat}")
        require(legal, f"seat {seat} is to act, but nothing is legal")
    same = game.current_player(s) == seat and game.legal_actions(s) == legal
    require(same and np.array_equal(game.action_mask(s), mask.inside), "asked twice, the rules say another thing")
    return legal


def check_length(case: Case) -> str:
    """No game is longer than the declared bound."""
    bound = case.game.spec.parameters.length_bound(case.settings)
    for seed, actions in case.actions.items():
        case.at(seed, len(actions))
        require(case.game.is_terminal(case.finals[seed]), f"the game goes on after {bound} decisions")
        require(len(actions) <= bound, f"{len(actions)} decisions, the bound is {bound}")
    return f"{max(map(len, case.actions.values())):,} decisions at most, the bound is {bound:,}"


# -- 2, 4, 5: looking -------------------------------------------------------------------------------------------------


def check_observations(case: Case) -> str:
    """Written in full, within the blocks' bounds, by no look at anything but the state."""
    spec = case.game.spec
    blocks = spec.blocks(case.settings)
    require(len({block.name for block in blocks}) == len(blocks), "two blocks have the same name")
    size = sum(block.size for block in blocks)
    out, seen = Buffer(size, np.float32), 0
    for s, _ in case.positions():
        before = s.records.tobytes()
        for seat in case.seats:
            observation = _observe(case, s, seat, out)
            for name, place in spec.observation_slices(case.settings).items():
                block = next(block for block in blocks if block.name == name)
                low, high = np.float32(block.low), np.float32(block.high)
                for k, value in enumerate(observation[place].tolist()):
                    require(low <= value <= high, f"{name}[{k}] of seat {seat} is {value}, not in [{low}, {high}]")
            plain = case.game.observation(s, seat)
            require(plain.dtype == np.float32 and plain.shape == (size,), f"{plain.dtype} {plain.shape}")
            require(plain.tobytes() == observation.tobytes(), f"seat {seat} sees something else when asked again")
            seen += 1
        require(s.records.tobytes() == before, "looking changes the state")
        _check_returns_written(case, s)
    return f"{seen:,} observations of {size} features"


def _observe(case: Case, s: State, seat: int, out: Buffer) -> np.ndarray:
    observe = drivers.observe(*case.modules)
    observe(s.records, 0, seat, out.fill(np.nan))
    out.check_margin("the observation")
    first = out.inside.copy()
    observe(s.records, 0, seat, out.fill(-77.0))
    unwritten = np.flatnonzero(np.isnan(first) | (first != out.inside)).tolist()
    require(not unwritten, f"entries {unwritten[:10]} of the observation of seat {seat} are not written, or NaN")
    return first


def _check_returns_written(case: Case, s: State) -> None:
    out = Buffer(len(case.seats), np.float32)
    drivers.look(*case.modules)(s.records, 0, np.zeros(case.game.spec.num_actions, np.int8), out.fill(np.nan))
    out.check_margin("the returns array")
    require(np.isfinite(out.inside).all(), f"returns {out.inside.tolist()} are not written in full")


def check_payoffs(case: Case) -> str:
    """Returns within their bounds at all times, and of the declared sum at the end."""
    parameters, game = case.game.spec.parameters, case.game
    low, high = parameters.payoff_bounds(case.settings)
    total = parameters.payoff_sum(case.settings)
    for s, _ in case.positions():
        returns = game.returns(s)
        require(returns.shape == (len(case.seats),), f"returns have the shape {returns.shape}")
        within = (returns >= low - 1e-5).all() and (returns <= high + 1e-5).all()
        require(within, f"returns {returns.tolist()} are not in [{low}, {high}]")
        if total is not None and game.is_terminal(s) and not game.is_truncated(s):
            off = abs(float(returns.astype(np.float64).sum()) - total)
            require(off < 1e-4, f"returns {returns.tolist()} sum to {returns.sum()}, not to {total}")
        for name, hits in parameters.rates(case.settings).items():
            counted = hits(np.tile(returns, (len(case.seats), 1)), np.array(case.seats))
            require(counted.shape == (len(case.seats),), f"{name} counts {counted!r} for {len(case.seats)} seats")
    return f"in [{low:g}, {high:g}], sum {'free' if total is None else f'{total:g}'}"


def check_cards(case: Case) -> str:
    """The same cards at all times."""
    census = case.game.spec.hooks.census
    start = census(case.deal(0))
    if start is None:
        return "not looked at: the scenario module has no census"
    for s, _ in case.positions():
        now = census(s) or Counter()
        require(now == start, f"cards too many: {dict(now - start)}, too few: {dict(start - now)}")
    return f"{sum(start.values())} cards"


# -- 3, 7, 14: again --------------------------------------------------------------------------------------------------


def check_same(one: Sequence[Step], other: Sequence[Step], what: str) -> None:
    """Raises Fault where two traces part."""
    found = difference(one, other)
    if found is not None:
        raise Fault(f"{what}: after {found[0]} further decisions another {found[1]}")


def check_determinism(case: Case) -> str:
    """The same seed gives the same game, also while another one is played."""
    game = case.game
    for seed in SOME_SEEDS:
        case.at(seed, 0)
        require(game.dump(case.deal(seed)) == game.dump(case.deal(seed)), "the same seed deals another game")
    deals = {checksum({**game.dump(case.deal(seed)), "seed": 0, "rng": 0}) for seed in range(20)}
    require(len(deals) > 1, "twenty seeds all deal the same game")
    for seed, decision, s, actions in case.stretches():
        case.at(seed, decision)
        alone = list(steps(game, game.clone(s), actions))
        again = game.clone(s)
        other = case.deal(seed + 1)
        stranger = steps(game, other, case.actions.get(seed + 1, [])[: len(actions)])
        mixed = []
        for step in steps(game, again, actions):
            mixed.append(step)
            next(stranger, None)
        check_same(alone, mixed, "while another game is played in between")
    return "seeds up to 2**200; games alone and interleaved"


def check_copies(case: Case) -> str:
    """Clones, copies and pickles carry everything and share nothing."""
    game = case.game
    ways: dict[str, Callable[[State], State]] = {
        "clone": game.clone,
        "copy": copy.copy,
        "deepcopy": copy.deepcopy,
        "pickle": lambda s: pickle.loads(pickle.dumps(s)),
    }
    for seed, decision, s, actions in case.stretches():
        case.at(seed, decision)
        before = game.dump(s)
        expected = list(steps(game, game.clone(s), actions))
        for way, make in ways.items():
            twin = make(s)
            require(twin == s, f"a {way} is not equal to its original")
            check_same(expected, list(steps(game, twin, actions)), f"a {way} plays on differently")
            require(game.dump(s) == before, f"playing a {way} changes the original")
            require(not actions or twin != s, f"a {way} that played on is still equal to its original")
    return f"{', '.join(ways)} at {len(list(case.stretches()))} positions"


def check_scenarios(case: Case) -> str:
    """What a dump loads is the position it was made of, chance included."""
    game, count = case.game, 0
    for s, actions in case.positions():
        written = game.dump(s)
        read = json.loads(json.dumps(written))
        require(read == written, f"JSON changes the scenario: {_first_change(written, read)}")
        loaded = game.load(read)
        again = game.dump(loaded)
        require(again == written, f"the loaded position is another one: {_first_change(written, again)}")
        for seat in case.some_seats(s):
            same = game.observation(loaded, seat).tobytes() == game.observation(s, seat).tobytes()
            require(same, f"seat {seat} sees something else in the loaded position")
        followed = actions[:TURNED]
        expected = list(steps(game, game.clone(s), followed))
        check_same(expected, list(steps(game, loaded, followed)), "the loaded position plays on differently")
        count += 1
    return f"{count} positions, each followed for {TURNED} decisions"


def _first_change(one: dict[str, Any], other: dict[str, Any]) -> str:
    name = next((name for name in {**one, **other} if one.get(name) != other.get(name)), "")
    return f"{name} is {other.get(name)!r} instead of {one.get(name)!r}"


# -- 6: hiding --------------------------------------------------------------------------------------------------------


def seen_by(game: Game, s: State, seat: int) -> tuple:
    """All that a seat is shown: observation, mask if it is to act, its own payoff, words and picture."""
    acting = game.current_player(s)
    mask = game.action_mask(s).tobytes() if acting == seat else b""
    shown = (game.observation(s, seat).tobytes(), mask, float(game.returns(s)[seat]), acting)
    return (*shown, game.describe(s, seat), game.scene(s, seat))


SEEN = ("the observation", "the mask", "the payoff so far", "who is to act", "the description", "the scene")


def require_same_view(one: tuple, other: tuple, seat: int, when: str) -> None:
    """Raises Fault naming what a seat is shown differently."""
    changed = [name for name, a, b in zip(SEEN, one, other, strict=True) if a != b]
    require(not changed, f"{when}, seat {seat} is shown another thing: {', '.join(changed)}")


def check_resample(case: Case) -> str:
    """Resampling keeps all that the seat is shown, and the result is a game."""
    game, count = case.game, 0
    census, possible = game.spec.hooks.census, game.spec.hooks.possible
    for s, _ in case.positions():
        before, cards = game.dump(s), census(s)
        require(possible(s), "the game has come to a position that it calls impossible")
        for seat in case.some_seats(s):
            shown = seen_by(game, s, seat)
            for seed in range(DRAWS):
                drawn = game.resample(s, seat, seed)
                require_same_view(shown, seen_by(game, drawn, seat), seat, f"with what it cannot know (seed {seed})")
                require(census(drawn) == cards, f"resampling for seat {seat} loses or makes cards")
                require(possible(drawn), f"resampling for seat {seat} gives what no game can come to (seed {seed})")
                _require_sound(game, drawn, seat, seed)
                again = game.resample(s, seat, seed)
                require(again == drawn, f"resampling for seat {seat} with seed {seed} is not the same again")
                count += 1
            _play_on(case, drawn, seat)
        require(game.dump(s) == before, "resampling changes the original")
    reached = check_reach(case)
    for s, _ in case.positions():
        for seat in case.some_seats(s):
            _require_forgotten(game, s, seat)
    return f"{count:,} resamplings show the seat the same; {reached}"


def _require_forgotten(game: Game, s: State, seat: int) -> None:
    """Who knows the seed of a resampling cannot infer from its result what the hidden cards really are."""
    drawn = game.resample(s, seat, 0)
    for seed in range(1, 1 + DRAWS):
        one, other = game.resample(s, seat, seed), game.resample(drawn, seat, seed)
        require(
            one == other,
            f"resampling for seat {seat} with seed {seed} depends on what the seat cannot know; see shuffle_anew",
        )


def _require_sound(game: Game, drawn: State, seat: int, seed: int) -> None:
    """A resampled position is one that the game itself accepts, and somebody can act in it."""
    written = {**game.dump(drawn), "seed": 0}  # a resampled position has none
    try:
        loaded = game.load(written)
    except ValueError as error:
        raise Fault(f"resampling for seat {seat} (seed {seed}) gives what cannot be loaded: {error}") from None
    change = _first_change(written, game.dump(loaded)) if game.dump(loaded) != written else ""
    require(not change, f"resampling for seat {seat} (seed {seed}) gives what loads as another: {change}")
    require(game.is_terminal(drawn) or game.legal_actions(drawn), "a resampled position is stuck")


def _play_on(case: Case, s: State, seed: int) -> None:
    random = Random(seed)
    for _ in range(FOLLOWED):
        if case.game.is_terminal(s):
            return
        case.game.apply_action(s, pick(random, case.game.legal_actions(s)))


def check_reach(case: Case) -> str:
    """Resampling can put a hidden card wherever the seat's view allows it to lie."""
    exchange = Exchange(case.game, lambda s, seat: seen_by(case.game, s, seat))
    places = 0
    for number, (s, _) in enumerate(case.positions(ends=False)):
        if number % 3 == 0:
            seat = case.seats[number // 3 % len(case.seats)]
            wanted = exchange.placements(s, seat, seed=number)
            missed = exchange.missed(s, seat, wanted)
            require(not missed, f"resampling for seat {seat} never gives {', '.join(map(str, missed[:3]))}")
            places += len(wanted)
    return f"{places} other placements of hidden cards, all of them drawn"


# -- 8, 11, 15 --------------------------------------------------------------------------------------------------------


def check_rotation(case: Case) -> str:
    """With everybody some seats further on, everybody sees the same and the same follows, until chance plays a part."""
    rotate = case.game.spec.hooks.rotate
    game, players, count = case.game, case.num_players, 0
    for s, actions in case.positions():
        start = game.dump(s)
        for seats in sorted({1, players - 1}):
            scenario = rotate(start, seats)
            if scenario is None:
                continue
            here, turned = game.clone(s), game.load(scenario)
            for action in (None, *actions[:TURNED]):
                if action is not None:
                    game.apply_action(here, action)
                    game.apply_action(turned, action)
                    if rotate(game.dump(here), seats) is None:
                        break
                chance = game.dump(here)["rng"]
                require(game.dump(turned)["rng"] == chance, f"turned by {seats} seats, another use of chance")
                if chance != start["rng"]:
                    break  # what is dealt goes by seats
                _compare_turned(case, here, turned, seats)
                count += 1
    return f"{count:,} positions turned" if count else "not looked at: rotate never offers a turned position"


def _compare_turned(case: Case, here: State, turned: State, seats: int) -> None:
    game, players = case.game, case.num_players
    to = [(seat + seats) % players if seat < players else seat for seat in case.seats]  # extra roles stay
    acting = game.current_player(here)
    expected = to[acting] if acting >= 0 else -1
    require(game.current_player(turned) == expected, f"turned by {seats} seats, another seat is to act")
    require(game.legal_actions(turned) == game.legal_actions(here), f"turned by {seats} seats, other actions are legal")
    same = (game.returns(turned)[to] == game.returns(here)).all()
    require(same, f"turned by {seats} seats, other payoffs")
    for seat in case.some_seats(here):
        same = game.observation(turned, to[seat]).tobytes() == game.observation(here, seat).tobytes()
        require(same, f"turned by {seats} seats, seat {seat} (now {to[seat]}) sees something else")


def illegal_actions(mask: np.ndarray) -> list[Any]:
    """Things that are no legal action: numbers the mask forbids, numbers beyond it, and what is no number."""
    forbidden = np.flatnonzero(mask == 0).tolist()
    return [*forbidden[:3], *forbidden[-3:], -1, len(mask), 2**70, None, 0.5, "0"]


def check_illegal(case: Case) -> str:
    """An illegal action raises, says what is legal, and changes nothing."""
    game, count = case.game, 0
    for s, _ in case.positions():
        before, over = s.records.tobytes(), game.is_terminal(s)
        legal = game.legal_actions(s)
        for action in illegal_actions(game.action_mask(s)):
            message = refusal(lambda: game.apply_action(s, action), over, f"action {action!r}")  # noqa: B023
            named = over or all(game.action_name(a, s) in message for a in legal)
            require(named, f"the refusal of {action!r} does not name the legal actions: {message}")
            require(s.records.tobytes() == before, f"the refused action {action!r} changes the state")
            count += 1
    return f"{count:,} refused"


def refusal(play: Callable[[], Any], over: bool, what: str) -> str:
    """The message of the error that playing raises; Fault if it raises none, or another one."""
    expected = GameOverError if over else IllegalActionError
    try:
        play()
    except expected as error:
        return str(error)
    except Exception as error:
        raise Fault(f"{what} raises {type(error).__name__} instead of {expected.__name__}: {error}") from error
    raise Fault(f"{what} is illegal, yet nothing is raised")


def check_names(case: Case) -> str:
    """Names and numbers of actions lead to each other."""
    game, s = case.game, case.deal(case.seeds[0])
    actions, count = game.spec.action_names(case.settings), game.spec.num_actions
    require(isinstance(actions, tuple) and len(actions) == count, f"{len(actions)} names for {count} actions")
    for number, name in enumerate(actions):
        require(isinstance(name, str) and name == name.strip() and name, f"action {number} is called {name!r}")
        require(game.action_name(number, s) == name, f"action {number} is called {game.action_name(number, s)!r}")
        require(game.action(name, s) == number, f"{name!r} is the name of {number} and of {game.action(name, s)}")
    for wrong in (-1, len(actions)):
        _require_value_error(lambda: game.action_name(wrong, s), f"action_name({wrong})")  # noqa: B023
    _require_value_error(lambda: game.action("no such action", s), "action('no such action')")
    for s, _ in case.positions(ends=False):
        for action in game.legal_actions(s):
            public = game.spec.display.is_public(s, action)
            require(isinstance(public, bool), f"is_public({actions[action]!r}) is {public!r}")
    case.place = ""
    return f"{len(actions)} names"


def _require_value_error(call: Callable[[], Any], what: str) -> None:
    try:
        call()
    except ValueError:
        return
    raise Fault(f"{what} raises no ValueError")


# -- 3, 7, 13: in other processes -------------------------------------------------------------------------------------


def check_processes(cases: Sequence[Case], report: Report) -> None:
    """Plays stretches of all cases in two fresh interpreters, one compiled and one plain, and compares."""
    compiled = ((3, "dealt and played by another process", _from_seeds), (7, "sent to another process", _from_pickles))
    _compare_elsewhere(cases, report, compiled, plain=False)
    _compare_elsewhere(cases, report, ((13, "played as plain Python", _from_scenarios),), plain=True)


Planned = list[tuple[int, int, Stretch]]  # seed, decision, what to play
Plan = tuple[int, str, Callable[[Case, str], Planned]]  # point, what is done, how to find the stretches


def _from_seeds(case: Case, address: str) -> Planned:
    parameters = {"num_players": case.num_players, **case.options}
    games = {**dict.fromkeys(SOME_SEEDS, ()), **case.actions}
    return [
        (seed, 0, Stretch(address, tuple(actions[: 2 * FOLLOWED]), seed=seed, parameters=parameters))
        for seed, actions in games.items()
    ]


def _from_pickles(case: Case, address: str) -> Planned:
    return [(seed, at, Stretch(address, tuple(actions), state=s)) for seed, at, s, actions in case.stretches()]


def _from_scenarios(case: Case, address: str) -> Planned:
    return [
        (seed, at, Stretch(address, tuple(actions), scenario=case.game.dump(s)))
        for seed, at, s, actions in case.stretches()
    ]


def _compare_elsewhere(cases: Sequence[Case], report: Report, plans: Sequence[Plan], plain: bool) -> None:
    work = [(point, what, case, plan) for point, what, plan in plans for case in cases]
    try:
        parts = [plan(case, registry.address(case.game.spec)) for _, _, case, plan in work]
        traces = iter(trace_elsewhere([stretch for part in parts for *_, stretch in part], plain))
    except Exception as error:
        for point, what, _ in plans:
            report.add(point, False, f"{what}: {type(error).__name__}: {error}")
        return
    for (point, what, case, _), part in zip(work, parts, strict=True):
        theirs = [next(traces) for _ in part]
        report.run(point, case, lambda case: _compare_traces(case, part, theirs, what))  # noqa: B023 - runs at once


def _compare_traces(case: Case, part: Planned, theirs: Sequence[Sequence[Step]], what: str) -> str:
    for (seed, decision, stretch), found in zip(part, theirs, strict=True):
        case.at(seed, decision)
        check_same(trace(case.game, stretch), found, what)
    return f"{len(part)} stretches {what}"


# -- all --------------------------------------------------------------------------------------------------------------

CHECKS: tuple[tuple[int, Callable[[Case], str]], ...] = (
    (2, check_observations),
    (3, check_determinism),
    (4, check_payoffs),
    (5, check_cards),
    (6, check_resample),
    (7, check_copies),
    (8, check_rotation),
    (11, check_illegal),
    (12, check_length),
    (14, check_scenarios),
    (15, check_names),
)


def check_case(case: Case, report: Report) -> bool:
    """Makes the points of the core that need no other process; False if not even a game can be played."""
    if not report.run(1, case, play_games):
        return False
    for point, check in CHECKS:
        report.run(point, case, check)
    return True


def as_game(game: "str | Game | GameSpec") -> Game:
    """The plain interface, by whatever names a game."""
    if isinstance(game, GameSpec):
        return Game(game)
    return registry.game(game) if isinstance(game, str) else game


def check_game(
    game: "str | Game | GameSpec",
    num_players: int | None = None,
    *,
    games: int = 3,
    seed: int = 0,
    on_progress: Callable[[Line], Any] | None = None,
    **options: Any,
) -> Report:
    """Checks one game at one case: all points that need no adapter; ValueError only for a wrong parameter.

    ``games`` random games are played from the seeds ``seed``, ``seed`` + 1, ...; ``on_progress`` is called with every
    line as it is written.
    """
    interface = as_game(game)
    players = interface.spec.default_players if num_players is None else num_players
    case = Case(interface, players, options, range(seed, seed + games))
    report = Report(on_progress)
    if check_case(case, report):
        check_processes([case], report)
    return report
