"""Does a game keep the contract, at every interface? The points of ``envs.core.check`` and those that need an adapter.

An *interface* here is a function ``(case, seed, actions) -> returns`` that plays these actions, from this seed, through
an adapter, and gives the returns of all seats. More interfaces can be handed in.
"""

import copy
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from random import Random
from typing import Any

import numpy as np
from pettingzoo.utils import wrappers
from pettingzoo.utils.env import AECEnv

from ..adapters.aec import GameEnv
from ..adapters.gymnasium import SeatEnv
from ..adapters.parallel import ParallelGameEnv
from ..adapters.vector import VectorEnv
from ..core import history
from ..core.chance import seed_streams
from ..core.game import Game, State
from ..core.spec import GameSpec
from .case import FOLLOWED, Case
from .contract import as_game, check_case, check_processes, illegal_actions, refusal
from .replay import pick
from .report import Fault, Line, Report, require

Interface = Callable[[Case, int, Sequence[int]], Iterable[float]]

EVENTS = 6  # kept in the case of a game that can keep its last events
LONG = 1500  # longer games are not played through the slow interfaces while there are shorter ones
BESIDE = 2  # cases beside the one that a vector check looks at
SEVERAL = 3  # positions looked at where each costs environments


# -- 10: interfaces


def aec_env(case: Case, render_mode: str | None = None) -> GameEnv:
    """The AEC environment of a case."""
    return GameEnv(case.game, case.num_players, render_mode=render_mode, **case.options)


def play_aec(case: Case, seed: int, actions: Sequence[int]) -> list[float]:
    """Plays through the AEC environment, which must show and pay what the plain interface does at every decision."""
    env, s = aec_env(case), case.deal(seed)
    env.reset(seed=seed)
    received = dict.fromkeys(env.possible_agents, 0.0)
    before = case.game.returns(s)
    for decision, action in enumerate(actions):
        case.at(seed, decision)
        received[env.agent_selection] += _last_is(env, case.game, s)
        env.step(action)
        case.game.apply_action(s, action)
        now = case.game.returns(s)
        paid = np.array([env.rewards[agent] for agent in env.possible_agents], np.float32)
        require(np.array_equal(paid, now - before), f"rewards {paid.tolist()}, but returns went {before} -> {now}")
        before = now
    ended = (env.terminations, env.truncations)
    for agent in env.agent_iter(len(env.possible_agents)):
        _, reward, *done, _ = env.last()
        received[agent] += reward
        expected = [not case.game.is_truncated(s), case.game.is_truncated(s)]
        require(done == expected, f"{agent} ends terminated, truncated = {done}, not {expected} ({ended})")
        env.step(None)
    require(not env.agents, f"the game is over, but {env.agents} are left")
    return list(received.values())


def _last_is(env: GameEnv, game: Game, s: State) -> float:
    """Compares ``last()`` with the plain interface's state and returns the reward in it."""
    seat = game.current_player(s)
    agent = env.possible_agents[seat]
    require(env.agent_selection == agent, f"{env.agent_selection} is to act, not {agent}")
    seen, reward, terminated, truncated, info = env.last()
    mask = game.action_mask(s)
    require(np.array_equal(seen["action_mask"], mask), f"the mask of {agent} is another one")
    require(np.array_equal(info["action_mask"], mask), f"the mask in the info of {agent} is another one")
    require(seen["observation"].tobytes() == game.observation(s, seat).tobytes(), f"{agent} sees another thing")
    require(not terminated and not truncated, f"{agent} is told that the game is over")
    return float(reward)


def play_vector(case: Case, seed: int, actions: Sequence[int]) -> list[float]:
    """Plays at the first of some cases; the others play at random beside it."""
    env = VectorEnv(case.game, 1 + BESIDE, case.num_players, **case.options)
    env.reset(seed=seed)
    s, random, rewards = case.deal(seed), Random(seed), np.zeros(env.num_seats)
    chosen = np.zeros(env.num_envs, np.int64)
    for decision, action in enumerate(actions):
        case.at(seed, decision)
        seat = case.game.current_player(s)
        require(env.seat[0] == seat, f"seat {env.seat[0]} is to act, not {seat}")
        require(np.array_equal(env.mask[0], case.game.action_mask(s)), "the mask is another one")
        same = env.obs[0].tobytes() == case.game.observation(s, seat).tobytes()
        require(same, f"seat {seat} sees another thing")
        chosen[:] = [action, *(pick(random, np.flatnonzero(row).tolist()) for row in env.mask[1:])]
        env.step(chosen)
        case.game.apply_action(s, action)
        rewards += env.rewards[0]
        over = bool(env.terminated[0] or env.truncated[0])
        require(over == (decision == len(actions) - 1), f"over is {over}")
    require(env.truncated[0] == case.game.is_truncated(s), f"truncated is {env.truncated[0]}")
    require(env.final_lengths[0] == len(actions), f"the length is said to be {env.final_lengths[0]}")
    close = np.allclose(rewards, env.final_returns[0], atol=1e-4)
    require(close, f"rewards sum to {rewards.tolist()}, returns are {env.final_returns[0].tolist()}")
    return env.final_returns[0].tolist()


class Script:
    """An agent who plays what is written, whatever it sees."""

    name = "script"

    def __init__(self, actions: Sequence[int]):
        self.actions = iter(actions)

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """The next action."""
        return np.array([next(self.actions)])


def play_seat(case: Case, seed: int, actions: Sequence[int]) -> list[float]:
    """Plays as one learner among agents who play the others' part; its rewards must sum to its return."""
    s, seat_of = case.deal(seed), []
    for action in actions:
        seat_of.append(case.game.current_player(s))
        case.game.apply_action(s, action)
    learners = [seat for seat in dict.fromkeys(seat_of) if case.game.spec.seat_roles(case.settings)[seat] == 0]
    learner = learners[seed % len(learners)]
    script = Script(actions)
    env = SeatEnv(case.game, [script], case.num_players, truncated_as="payoff", learner_seats=[learner], **case.options)
    env.reset(seed=seed)
    received, over = 0.0, False
    info: dict[str, Any] = {}
    for decision in [number for number, seat in enumerate(seat_of) if seat == learner]:
        case.at(seed, decision)
        require(not over, f"the game is over before the learner's decision {decision}")
        action = next(script.actions)
        require(action == actions[decision], f"the learner acts at another decision than {decision}")
        _, reward, terminated, truncated, info = env.step(action)
        received += reward
        over = terminated or truncated
    require(over, "the game goes on after its last action")
    own = float(info["returns"][learner])
    require(abs(own - received) < 1e-4, f"the learner in seat {learner} received {received}, its return is {own}")
    env.close()
    return info["returns"].tolist()


def play_parallel(case: Case, seed: int, actions: Sequence[int]) -> list[float]:
    """Plays through the parallel environment: in every step each agent's next action, if it is asked for one.

    It must see the same there as where the rules ask it in its turn.
    """
    s = case.deal(seed)
    chosen: dict[int, list[tuple[int, bytes]]] = {seat: [] for seat in case.seats}
    for action in actions:
        seat = case.game.current_player(s)
        chosen[seat].append((action, case.game.observation(s, seat).tobytes()))
        case.game.apply_action(s, action)
    env = ParallelGameEnv(case.game, case.num_players, **case.options)
    seen, _ = env.reset(seed=seed)
    received, steps = np.zeros(len(case.seats)), 0
    while env.agents:
        case.at(seed, steps)
        asked = [not seen[agent]["action_mask"][env.no_op] for agent in env.agents]
        require(any(asked), "nobody is asked, but the game goes on")
        joint = {agent: env.no_op for agent in env.agents}
        for seat, agent in [(seat, agent) for seat, agent in enumerate(env.agents) if asked[seat]]:
            require(bool(chosen[seat]), f"{agent} is asked more often than the rules ask it")
            joint[agent], expected = chosen[seat].pop(0)
            require(seen[agent]["observation"].tobytes() == expected, f"{agent} sees another thing when it is asked")
        seen, rewards, terminated, truncated, _ = env.step(joint)
        received += list(rewards.values())
        steps += 1
    ended = {case.game.is_truncated(s)}
    require(set(truncated.values()) == ended and set(terminated.values()) == {not value for value in ended}, "its end")
    require(not any(chosen.values()), "the game ends before its last action")
    return received.tolist()


DOORS: dict[str, Interface] = {"AEC": play_aec, "parallel": play_parallel, "vector": play_vector, "seat": play_seat}


def short_games(case: Case) -> dict[int, list[int]]:
    """The games that are not too long for a slow interface, or else the shortest one."""
    short = {seed: actions for seed, actions in case.actions.items() if len(actions) <= LONG}
    shortest = min(case.actions, key=lambda seed: len(case.actions[seed]))
    return short or {shortest: case.actions[shortest]}


def check_interfaces(case: Case, interfaces: Mapping[str, Interface] | None = None) -> str:
    """The same actions, from the same seed, give the same returns at every interface."""
    interfaces = {**DOORS, **(interfaces or {})}
    games = short_games(case)
    for name, interface in interfaces.items():
        for seed, actions in games.items():
            expected = case.game.returns(case.finals[seed])
            case.at(seed, 0)
            try:
                found = np.array(list(interface(case, seed, actions)), np.float64)
            except Fault as fault:
                raise Fault(f"{name}: {fault}") from None
            same = found.shape == expected.shape and np.allclose(found, expected, atol=1e-4)
            require(same, f"{name}: returns {found.tolist()}, by the plain interface {expected.tolist()}")
    return f"{', '.join(interfaces)}: {len(games)} games"


# -- 9: wrappers

WRAPPERS: dict[str, Callable[[AECEnv], AECEnv]] = {
    "none": lambda env: env,
    "BaseWrapper": wrappers.BaseWrapper,
    "OrderEnforcingWrapper": wrappers.OrderEnforcingWrapper,
    "AssertOutOfBoundsWrapper": wrappers.AssertOutOfBoundsWrapper,
    "TerminateIllegalWrapper": lambda env: wrappers.TerminateIllegalWrapper(env, illegal_reward=-1.0),
    "MultiEpisodeEnv": lambda env: wrappers.MultiEpisodeEnv(env, num_episodes=1),
    "the usual three": lambda env: wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(env, illegal_reward=-1.0))
    ),
}


def play_through(env: AECEnv, actions: Sequence[int]) -> np.ndarray:
    """Plays a game to its end as PettingZoo's pages do and returns what every agent received."""
    received = dict.fromkeys(env.possible_agents, 0.0)
    queue = iter(actions)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        received[agent] += float(reward)
        action = None if terminated or truncated else next(queue, None)
        require(action is not None or terminated or truncated, "the game goes on after its last action")
        env.step(action)
    require(next(queue, None) is None, "the game ends before its last action")
    return np.array(list(received.values()))


def check_wrappers(case: Case) -> str:
    """Under every wrapper: a game from a scenario, a dealt one, one that is left, and the first once more."""
    seed, actions = next(iter(short_games(case).items()))
    start, s = max(0, len(actions) - FOLLOWED), case.deal(seed)
    for action in actions[:start]:
        case.game.apply_action(s, action)
    scenario = {"scenario": case.game.dump(s)}
    expected = case.game.returns(case.finals[seed])
    gained = expected - case.game.returns(s)
    for name, wrap in WRAPPERS.items():
        env = wrap(aec_env(case))
        for number in (1, 4):
            case.at(seed, start)
            env.reset(options=scenario)
            found = play_through(env, actions[start:])
            require(np.allclose(found, gained, atol=1e-4), f"{name}, game {number}: received {found}, not {gained}")
            if number == 1:
                case.at(seed, 0)
                env.reset(seed=seed)
                found = play_through(env, actions)
                require(np.allclose(found, expected, atol=1e-4), f"{name}: received {found}, not {expected}")
                env.reset()
                _step_at_random(env, 5)
        env.close()
    return f"four games each under {', '.join(WRAPPERS)}"


def _step_at_random(env: AECEnv, decisions: int) -> None:
    random = Random(decisions)
    for agent in env.agent_iter(decisions):
        seen, _, terminated, truncated, _ = env.last()
        require(agent == env.agent_selection, f"{agent} is not the agent selected")
        env.step(None if terminated or truncated else pick(random, np.flatnonzero(seen["action_mask"]).tolist()))


# -- 3, 6, 7, 11 through the adapters


def _followed(env: GameEnv, actions: Sequence[int]) -> list[tuple]:
    """What an environment shows while it plays actions, all of it as values to compare."""
    shown = []
    for action in (*actions, None):
        seen, reward, terminated, truncated, info = env.last()
        masks = (seen["action_mask"].tobytes(), info["action_mask"].tobytes())
        rewards = (float(reward), *env.rewards.values())
        shown.append((env.agent_selection, seen["observation"].tobytes(), masks, rewards, terminated, truncated))
        if action is not None:
            env.step(action)
    return shown


def _env_at(case: Case, s: State, render_mode: str | None = None) -> GameEnv:
    env = aec_env(case, render_mode)
    env.reset(options={"scenario": case.game.dump(s)})
    return env


def check_env_copies(case: Case) -> str:
    """Copies and pickles of environments in mid-game play on the same; other environments disturb nothing."""
    for seed, decision, s, actions in case.stretches(games=1):
        case.at(seed, decision)
        expected = _followed(_env_at(case, s), actions)
        original = _env_at(case, s)
        twins = {"deepcopy": copy.deepcopy(original), "pickle": pickle.loads(pickle.dumps(original))}
        for way, twin in twins.items():
            require(_followed(twin, actions) == expected, f"a {way} of the AEC environment plays on differently")
        require(_followed(original, actions) == expected, "playing copies changes the AEC environment")
    batch = VectorEnv(case.game, 1 + BESIDE, case.num_players, **case.options)
    batch.reset(seed=case.seeds[0])
    twins = {"deepcopy": copy.deepcopy(batch), "pickle": pickle.loads(pickle.dumps(batch))}
    expected_batch = _batch_followed(batch)
    for way, twin in twins.items():
        require(_batch_followed(twin) == expected_batch, f"a {way} of the vector environment plays on differently")
    return f"deepcopy and pickle at {len(list(case.stretches(games=1)))} positions, and of a batch"


def _batch_followed(env: VectorEnv) -> list[tuple]:
    random, shown = Random(0), []
    for _ in range(FOLLOWED):
        shown.append((env.obs.tobytes(), env.mask.tobytes(), env.seat.tobytes(), env.rewards.tobytes()))
        env.step(np.array([pick(random, np.flatnonzero(row).tolist()) for row in env.mask]))
    return shown


def check_env_leaks(case: Case) -> str:
    """What a seat cannot know changes nothing in its observation, mask, info, and rendered text."""
    count = 0
    for number, (s, _) in enumerate(case.positions()):
        if number % SEVERAL:
            continue
        for seat in {max(case.game.current_player(s), 0), number % len(case.seats)}:
            shown = _shown_to(_env_at(case, s, "ansi"), seat)
            for seed in range(2):
                drawn = _shown_to(_env_at(case, case.game.resample(s, seat, seed), "ansi"), seat)
                require(drawn == shown, f"the AEC environment shows seat {seat} what it cannot know (seed {seed})")
                count += 1
    return f"{count} environments with other hidden cards"


def _shown_to(env: GameEnv, seat: int) -> tuple:
    agent = env.possible_agents[seat]
    seen, info = env.observe(agent), env.infos[agent]
    acting = env.agent_selection == agent
    told = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in info.items()}
    mask = seen["action_mask"].tobytes()
    return (seen["observation"].tobytes(), mask, told, env.agent_selection, env.render() if acting else None)


def check_env_illegal(case: Case) -> str:
    """Both environments refuse illegal actions and change nothing."""
    count = 0
    for number, (s, _) in enumerate(case.positions(ends=False)):
        if number % SEVERAL:
            continue
        env, before = _env_at(case, s), case.game.dump(s)
        for action in illegal_actions(case.game.action_mask(s)):
            refusal(lambda: env.step(action), False, f"AEC, action {action!r}")  # noqa: B023
            same = case.game.dump(env.snapshot()) == {**before, "seed": case.game.dump(env.snapshot())["seed"]}
            require(same, f"AEC: the refused action {action!r} changes the state")
            count += 1
    case.place = ""
    batch = VectorEnv(case.game, 1 + BESIDE, case.num_players, **case.options)
    batch.reset(seed=0)
    legal, kept = batch.mask.argmax(axis=1), _buffers(batch)
    for place in range(batch.num_envs):
        for action in [a for a in illegal_actions(batch.mask[place]) if isinstance(a, int) and a < 2**63]:
            wrong = legal.copy()
            wrong[place] = action
            refusal(lambda: batch.step(wrong), False, f"vector, case {place}, action {action}")  # noqa: B023
            require(_buffers(batch) == kept, f"vector: the refused action {action} changes something")
            count += 1
    return f"{count} refused"


def _buffers(env: VectorEnv) -> list[bytes]:
    return [value.tobytes() for value in vars(env).values() if isinstance(value, np.ndarray)]


# -- all --------------------------------------------------------------------------------------------------------------

CHECKS: tuple[tuple[int, Callable[[Case], str]], ...] = (
    (6, check_env_leaks),
    (7, check_env_copies),
    (9, check_wrappers),
    (11, check_env_illegal),
)


def player_counts(spec: GameSpec) -> list[int]:
    """Numbers of players worth a check: the fewest, 3 to 6, the most."""
    counts = {spec.min_players, 3, 4, 5, 6, spec.max_players}
    return sorted(count for count in counts if spec.min_players <= count <= spec.max_players)


def cases(
    game: "str | Game | GameSpec",
    variants: Iterable[str] | None = None,
    players: Iterable[int] | None = None,
    games: int = 10,
    seed: int = 0,
) -> list[Case]:
    """The cases of all these variants and numbers of players; pairs that the game refuses are left out.

    Where no variants are named, a game that can keep its last events (``history``) has one more case, in which it does.

    Raises:
        ValueError: a variant that the game does not have, a number of players that no variant allows, no games or
            no seed.
    """
    interface = as_game(game)
    spec = interface.spec
    found = []
    wanted = list(spec.variants if variants is None else variants)
    counts = player_counts(spec) if players is None else list(players)
    if games < 1:
        raise ValueError(f"games={games!r}: allowed is a whole number from 1")
    seed_streams(seed, 1)  # says what a seed is
    for variant in wanted:
        if variant not in spec.variants:
            near = get_close_matches(variant, spec.variants, 1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise ValueError(f"variant {variant!r}: {hint}{spec.name} has {', '.join(spec.variants)}")
    errors: list[ValueError] = []
    for variant, count in ((variant, count) for variant in wanted for count in counts):
        try:
            found.append(Case(interface, count, dict(spec.variants[variant]), range(seed, seed + games), variant))
        except ValueError as error:
            errors.append(error)
    if found and variants is None and history.NAME in {option.name for option in spec.options}:
        found.append(with_events(found[-1]))
    for count in counts:
        if not any(case.num_players == count for case in found):
            raise errors[0]
    return found


def with_events(case: Case) -> Case:
    """The same case, its last events kept."""
    label = f"{case.label.split(',')[0]} with {history.NAME}={EVENTS}"
    return Case(case.game, case.num_players, {**case.options, history.NAME: EVENTS}, case.seeds, label)


def check_cases(
    laid: Sequence[Case], report: Report, interfaces: Mapping[str, Interface] | None = None, processes: bool = True
) -> None:
    """Makes all points at these cases; those in other ``processes`` for all of them together."""
    played = []
    for case in laid:
        if check_case(case, report):
            played.append(case)
            for point, check in CHECKS:
                report.run(point, case, check)
            report.run(10, case, lambda case: check_interfaces(case, interfaces))
    if processes and played:
        check_processes(played, report)


def check_game(
    game: "str | Game | GameSpec",
    variants: Iterable[str] | None = None,
    players: Iterable[int] | None = None,
    games: int = 10,
    seed: int = 0,
    on_progress: Callable[[Line], Any] | None = None,
    interfaces: Mapping[str, Interface] | None = None,
) -> Report:
    """Checks a game, of yours or of this package, at every variant and number of players; nothing raised for faults.

    ``games`` random games are played at every case, from the seeds ``seed``, ``seed`` + 1, ...; a fault's message
    says where it was seen. ``interfaces`` are adapters of your own, by name.
    """
    report = Report(on_progress)
    check_cases(cases(game, variants, players, games, seed), report, interfaces)
    return report
