"""The game beside the slow referee, decision by decision: who acts, what is legal, the position, returns.

Starts are fresh deals of 2 to 6 players and random positions in the middle of a game, under all options; seats
play by different policies so that all ends are reached. Where chance decides, the referee says whether what the
game did can be, and follows it.
"""

from collections import Counter

import pytest
from reference.too_many_poops import Referee

from tests.games.too_many_poops.random_positions import POLICIES, random_options, random_position, seeded
from tests.games.too_many_poops.table import GAME

OWN_TO_THE_GAME = ("rng", "seed")  # chance and where it came from
RELOAD_SHARE = 0.02  # decisions after which the game's position is dumped and loaded again


def check_same(s, referee, history, dump=None):
    """Everything the two have in common, at one decision; the game's position as a dump, where it is not given."""
    dump = dump or GAME.dump(s)
    assert {f: v for f, v in dump.items() if f not in OWN_TO_THE_GAME} == referee.dump(), history
    assert GAME.current_player(s) == referee.current_player(), history
    assert {GAME.action_name(a) for a in GAME.legal_actions(s)} == referee.legal_actions(), history
    assert GAME.is_terminal(s) == referee.is_terminal() and GAME.is_truncated(s) == referee.truncated, history
    pairs = zip(GAME.returns(s).tolist(), referee.returns(), strict=True)
    assert all(abs(got - expected) < 1e-6 for got, expected in pairs), history
    return dump


def follow(s, rng, most=100_000):
    """Play to the end, or for `most` decisions, comparing at every step; a tally of what came up."""
    before, names, seen = GAME.dump(s), [], Counter()
    history = (before, names)  # shown where the two differ: load the first, take the second
    referee = Referee(before)
    policies = [rng.choice(POLICIES) for _ in range(referee.players)]
    check_same(s, referee, history)
    while not referee.is_terminal() and len(names) < most:
        policy = rng.choice(POLICIES) if rng.random() < 0.15 else policies[referee.current_player()]
        name = policy(rng, sorted(referee.legal_actions()))
        names.append(name)
        GAME.apply_action(s, GAME.action(name))
        after = GAME.dump(s)
        referee.apply(name, after)
        check_same(s, referee, history, after)
        note(seen, before, name, after)
        before = after
        if rng.random() < RELOAD_SHARE:
            s = GAME.load(before)
            check_same(s, referee, history)
    check_same(GAME.load(GAME.dump(s)), referee, history)  # where it ended, too
    return seen


def note(seen, before, name, after):
    """Tally the situations that the runs must have met."""
    turn, phase = before["turn"], before["phase"]
    seen["decisions"] += 1
    seen[f"phase {phase}"] += 1
    seen[f"{before['players']} players"] += 1
    pending, stack, arrival = before["pending"] or {}, before["stack"], before["arrival"]
    for word in ("draw from the wild", "to the wild", "end", "pass"):
        seen[f"{word}, {phase}"] += name == word
    seen[f"{name.split()[0]} {'reaction' if before['ask'] else 'item'}"] += name.startswith(("play ", "discard "))
    seen["a gap stays"] += name.startswith("draw store")
    if name == "play hiss":
        seen[f"hiss on {stack[-1]['item']}"] += 1
        seen["three hisses"] += sum(entry["item"] == "hiss" for entry in stack) == 2
    if stack and not after["stack"]:
        hisses = sum(entry["item"] == "hiss" for entry in stack) + (name == "play hiss")
        seen[f"{stack[0]['item']} {'cancelled' if hisses % 2 else 'holds'}"] += 1
        seen["holds after a hiss"] += hisses == 2
    if after["arrival"] and not arrival:
        seen[f"door asked after {'swap' if 'swap' in str(stack) or pending.get('act') == 'swap' else 'else'}"] += 1
    if name == "play closed door":
        seen["door shut"] += 1
    own_cats, own_items = (len(before["hands"][turn][kind]) for kind in ("cats", "items"))
    seen["a seventh card"] += phase == "draw" and own_items == 6
    seen["no cat can be had"] += phase == "play" and name == "end" and not own_cats and not before["cat_played"]
    seen["second cat"] += (
        name.startswith(("to home", "to the")) and pending.get("act") == "play" and before["cat_played"]
    )
    seen["rainbow of several homes"] += name.startswith("to home") and pending.get("act") in ("shoo", "swap")
    seen["item deck made anew"] += len(after["item_deck"]) > len(before["item_deck"])
    seen["seventh cat in a home"] += any(len(home["cats"]) > 6 for home in after["homes"])
    if name == "end" and phase == "play":
        newly = len(after["out"]) - len(before["out"])
        seen["out"] += newly > 0
        seen["several out at once"] += newly > 1
        seen["golden"] += any(
            after["homes"][seat]["poops"] == before["homes"][seat]["poops"] + 1
            for seat in range(before["players"])
            if seat != turn and seat not in after["out"]
        )
    if after["phase"] == "over":
        last = len(after["out"]) == after["players"] - 1
        end = "truncated" if after["truncated"] else "won as the last" if last else "won by points"
        seen[end] += 1
        seen[f"{end}, {'own' if after['winner'] == turn else 'other'} turn"] += 1
        seen["truncated in a choice"] += after["truncated"] and bool(after["pending"] or after["ask"])
        seen["survivor with ten poops"] += last and after["homes"][after["winner"] or 0]["poops"] >= 10


def run(seeds, most=100_000, positions=4):
    """One fresh game and some positions per seed."""
    seen = Counter()
    for seed in seeds:
        rng = seeded(seed)
        players = rng.randint(2, 6)
        fresh = GAME.new_state(seed=seed, num_players=players, **random_options(rng, players))
        seen += follow(fresh, rng, most)
        for _ in range(positions):
            seen += follow(GAME.load(random_position(rng)), rng, most // 3)
    return seen


ALWAYS_MET = [
    "phase choose", "phase draw", "phase play", *[f"{players} players" for players in range(2, 7)],
    "draw from the wild, draw", "end, draw", "end, play", "pass, play", "to the wild, play",
    "play item", "discard item", "play reaction", "a gap stays", "a seventh card", "no cat can be had", "second cat",
    *[f"hiss on {item}" for item in ("replay", "lure", "shoo", "swap", "scoop", "big dinner", "hiss", "closed door")],
    *[f"{item} {end}" for item in ("lure", "swap", "auto scooper", "closed door") for end in ("holds", "cancelled")],
    "holds after a hiss", "three hisses",
    "door asked after swap", "door asked after else", "door shut", "rainbow of several homes",
    "item deck made anew", "seventh cat in a home", "out", "several out at once", "golden",
    "survivor with ten poops", "truncated", "truncated in a choice", "won as the last", "won by points",
    "won by points, own turn", "won by points, other turn", "won as the last, own turn", "won as the last, other turn",
]  # fmt: skip


def test_game_follows_the_referee():
    seen = run(range(80), most=200)
    assert [situation for situation in ALWAYS_MET if not seen[situation]] == []


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("options", [{}, {"optional_draw": True}, {"golden_poople": True}, {"rainbow_cats": 8}])
def test_game_follows_the_referee_with_any_number_of_players(players, options):
    follow(GAME.new_state(seed=players, num_players=players, **options), seeded(players))


@pytest.mark.slow
@pytest.mark.parametrize("part", [1, 2, 3])
def test_game_follows_the_referee_for_long(part):
    """1,000 games and 8,000 positions a part, to their ends."""
    seen = run(range(10_000 * part, 10_000 * part + 1000), positions=8)
    assert [situation for situation in ALWAYS_MET if not seen[situation]] == []
