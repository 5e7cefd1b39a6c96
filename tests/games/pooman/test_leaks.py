"""What a seat is shown: nothing that it cannot know, and all that it can.

Hidden are the order of the deck, the choices of others in the tick under way, and, from the Pooman, where hidden
players are.
"""

from itertools import product

import pytest

from .random_positions import random_options, random_position, seeded
from .table import (
    BALANCER,
    CARDS,
    FLUSH,
    FRESHNESS,
    GAME,
    KEPT,
    POOCICLE,
    POODINI,
    STEPS,
    act,
    chasing,
    position,
)

FAR = [10, 10]


def shown(s, seat):
    """All that a seat is shown, but for the mask of the seat that is to act."""
    pays = float(GAME.returns(s)[seat])
    return GAME.observation(s, seat).tobytes(), GAME.describe(s, seat), GAME.scene(s, seat), pays


def seats_of(s):
    return range(GAME.num_seats(s))


def random_moments(seed, count=12):
    """Positions of some games, in any phase."""
    rng = seeded(seed)
    for _ in range(count):
        if rng.random() < 0.5:
            s = GAME.load(random_position(rng))
        else:
            s = GAME.new_state(seed=rng.getrandbits(30), num_players=rng.randint(2, 6), **random_options(rng))
        for _ in range(rng.randint(0, 60)):
            if not GAME.is_terminal(s):
                GAME.apply_action(s, rng.choice(GAME.legal_actions(s)))
        yield rng, s


# ---------------------------------------------------------------- the deck


@pytest.mark.parametrize("seed", range(4))
def test_nobody_is_shown_the_order_of_the_deck(seed):
    for rng, s in random_moments(seed):
        dump = GAME.dump(s)
        deck = rng.sample(dump["deck"], len(dump["deck"]))
        other = GAME.load({**dump, "deck": deck, "rng": 7, "seed": 8})
        for seat in seats_of(s):
            assert shown(other, seat) == shown(s, seat)


@pytest.mark.parametrize("seat", range(3))
def test_all_are_shown_how_many_of_each_kind_lie_face_down(seat):
    decks = [[kind] * copies + ["poodini"] * (3 - copies) for kind in CARDS if kind != "poodini" for copies in (1, 2)]
    sights = {GAME.observation(position([[], []], deck), seat).tobytes() for deck in decks}
    assert len(sights) == len(decks)


def test_resampling_shuffles_the_deck():
    s = position([["1 star"], []], deck=CARDS[:6])
    for seat in range(3):
        decks = [tuple(GAME.dump(GAME.resample(s, seat, seed))["deck"]) for seed in range(60)]
        assert all(sorted(deck) == sorted(CARDS[:6]) for deck in decks)
        assert {deck[0] for deck in decks} == {deck[-1] for deck in decks} == set(CARDS[:6])


# ---------------------------------------------------------------- the choices of the tick under way

FRONTS = [["1 star", *KEPT], ["2 stars", *KEPT], ["1 star", POODINI]]
CELLS = [[4, 4], [6, 5], [5, 7]]
CHOICES = [*sorted(STEPS), *(f"use {card}" for card in KEPT)]


def under_way(moves, pooman_moves=(), kind="pooman", **fields):
    state = {"moves": moves, "pooman_moves": list(pooman_moves)}
    return chasing(FRONTS, pooman=[5, 5], players=CELLS, kind=kind, state=state, **fields)


@pytest.mark.parametrize("kind", ["pooman", "pooperman"])
def test_nobody_is_shown_the_choices_of_others(kind):
    sights = [{}, {}]
    for first, second in product(CHOICES, CHOICES):
        one = under_way([[first], None, None], kind=kind)
        both = under_way([[first], [second], None], kind=kind)
        for step, s in enumerate((one, both)):
            for seat in range(4):
                own = (first, second)[seat] if seat <= step else None
                sight = sights[step].setdefault((seat, own), shown(s, seat))
                assert shown(s, seat) == sight, (seat, first, second)


def test_players_are_not_shown_the_pooman_s_first_step():
    moves = [["north"], ["use poodini"], ["stay"]]
    sights = [[shown(under_way(moves, [step]), seat) for seat in range(3)] for step in sorted(STEPS)]
    assert all(sight == sights[0] for sight in sights)


def test_the_pooman_is_shown_its_own_first_step():
    moves = [["stay"], ["stay"], ["stay"]]
    sights = {GAME.observation(under_way(moves, steps), 3).tobytes() for steps in ([], ["north"], ["east"], ["stay"])}
    assert len(sights) == 4


def test_a_player_is_shown_its_own_choices():
    steps = ([], ["north"], ["east"], ["stay"])
    sights = {GAME.observation(under_way([made or None, None, None], player_speed=2), 0).tobytes() for made in steps}
    assert len(sights) == 4


def test_a_special_played_instead_of_two_steps_is_not_told_by_the_count_of_decisions():
    """It is one choice instead of two; later seats must not see that."""
    quick = {"player_speed": 2}
    sights = []
    for choices in (["north", "east"], ["use poodini"], ["use power flush"]):
        s = under_way([None, None, None], **quick)
        act(s, *choices)
        assert GAME.current_player(s) == 1
        sights.append([shown(s, seat) for seat in (1, 2, 3)])
        act(s, "stay", "stay", "use poodini")
        assert GAME.current_player(s) == 3
        sights[-1].append(shown(s, 3))
        sights[-1].append(shown(s, 2))
    assert sights[0] == sights[1] == sights[2]


def test_the_labels_and_chance_are_not_shown_as_hidden_things():
    one, other = (position([["1 star"], []], seed=seed, rng=seed) for seed in (1, 2))
    assert all(shown(one, seat) == shown(other, seat) for seat in range(3))


def test_resampling_draws_the_choices_of_others_anew_and_keeps_ones_own():
    s = under_way([["north"], ["use poodini"], None])
    for seat in range(4):
        drawn = [GAME.dump(GAME.resample(s, seat, seed))["chase_state"]["moves"] for seed in range(120)]
        for other in (0, 1):
            choices = {tuple(moves[other]) for moves in drawn}
            made = {("north",), ("use poodini",)} & choices
            assert len(choices) > 4 if other != seat else len(choices) == 1 and made
        assert all(moves[2] is None for moves in drawn)


def test_resampling_does_not_give_a_choice_that_cannot_be():
    s = chasing([["1 star"], ["2 stars", FLUSH]], state={"moves": [["north"], ["use power flush"]]})
    choices = {GAME.dump(GAME.resample(s, 2, seed))["chase_state"]["moves"][0][0] for seed in range(200)}
    assert choices == STEPS
    choices = {GAME.dump(GAME.resample(s, 2, seed))["chase_state"]["moves"][1][0] for seed in range(200)}
    assert choices == STEPS | {"use power flush"}


# ---------------------------------------------------------------- hidden players


def test_the_pooman_is_not_shown_where_hidden_players_are():
    rng, met = seeded(11), 0
    while met < 30:
        scenario = random_position(rng)
        if not scenario.get("chase_state") or not scenario["chase_state"]["hidden"]:
            continue
        s = GAME.load(scenario)
        for _ in range(rng.randint(0, 8)):
            if not GAME.is_terminal(s):
                GAME.apply_action(s, rng.choice(GAME.legal_actions(s)))
        dump = GAME.dump(s)
        chase, pooman, size = dump["chase_state"], dump["players"], dump["room_size"]
        if chase is None:
            continue
        cells = [
            [rng.randrange(size), rng.randrange(size)] if seat in chase["hidden"] else cell
            for seat, cell in enumerate(chase["players"])
        ]
        other = GAME.load({**dump, "chase_state": {**chase, "players": cells}})
        assert shown(other, pooman) == shown(s, pooman)
        met += cells != chase["players"]


@pytest.mark.rule("PM-17")
def test_a_chase_with_a_hidden_player_looks_the_same_to_the_pooman_wherever_it_hid():
    """From the moment of hiding to the end, whatever runs across its cell."""
    sights = []
    for cell in ([5, 6], [8, 8]):
        fronts = [["1 star", POODINI], ["2 stars"]]
        s = chasing(fronts, pooman=[5, 5], players=[cell, [2, 2]], state={"ticks": 4})
        act(s, "use poodini", "stay", "south", "south")
        sights.append([shown(s, 2)])
        for choice in ("stay", "north", "north", "east", "south", "stay", "stay", "stay", "stay"):
            act(s, choice)
            sights[-1].append(shown(s, 2))
        assert GAME.dump(s)["phase"] == "draw"
    assert sights[0] == sights[1]


def test_the_pooman_is_shown_who_is_hidden():
    fronts, cells = [["1 star"], ["2 stars"], ["1 star"]], [[5, 5], [5, 5], FAR]
    one, other = (
        GAME.observation(chasing(fronts, pooman=[5, 1], players=cells, state={"hidden": [seat]}), 3).tobytes()
        for seat in (0, 1)
    )
    assert one != other


def test_resampling_puts_hidden_players_anywhere_for_the_pooman_and_nowhere_else_for_players():
    fronts, cells = [["1 star"], ["2 stars"]], [[2, 2], [1, 3]]
    fields = {"room_size": 4, "start_distance": 2}
    s = chasing(fronts, pooman=[0, 0], players=cells, state={"hidden": [0]}, **fields)
    drawn = [GAME.dump(GAME.resample(s, 2, seed))["chase_state"]["players"] for seed in range(300)]
    assert len({tuple(players[0]) for players in drawn}) > 5 and {tuple(players[1]) for players in drawn} == {(1, 3)}
    for seat in (0, 1):
        for seed in range(20):
            assert GAME.dump(GAME.resample(s, seat, seed))["chase_state"]["players"] == cells


# ---------------------------------------------------------------- what everybody knows

NOW = {"pooman": [5, 3], "players": [[4, 5], [6, 6], [9, 9]]}
THREE = [["1 star", POODINI], ["2 stars"], [FLUSH, POOCICLE]]
PAIRS = {
    "the kind of chase": (chasing(THREE, **NOW), chasing(THREE, **NOW, kind="pooperman", state={"ticks": 10})),
    "ticks left": (chasing(THREE, **NOW), chasing(THREE, **NOW, state={"ticks": 9})),
    "freeze left": (chasing(THREE, **NOW, state={"freeze": 1}), chasing(THREE, **NOW, state={"freeze": 2})),
    "frozen or not": (chasing(THREE, **NOW), chasing(THREE, **NOW, state={"freeze": 1})),
    "who is hidden": (chasing(THREE, **NOW), chasing(THREE, **NOW, state={"hidden": [1]})),
    "who is balanced": (chasing(THREE, **NOW), chasing(THREE, **NOW, state={"balanced": [1]})),
    "hidden or balanced": (
        chasing(THREE, **NOW, state={"hidden": [1]}),
        chasing(THREE, **NOW, state={"balanced": [1]}),
    ),
    "who is touched": (
        chasing([*THREE[:2], []], **NOW, empty_handed_run=True),
        chasing([*THREE[:2], []], **NOW, empty_handed_run=True, state={"touched": [2]}),
    ),
    "where the Pooman is": (chasing(THREE, **NOW), chasing(THREE, **(NOW | {"pooman": [5, 2]}))),
    "where player 0 is": (chasing(THREE, **NOW), chasing(THREE, **(NOW | {"players": [[4, 6], *NOW["players"][1:]]}))),
    "where player 2 is": (chasing(THREE, **NOW), chasing(THREE, **(NOW | {"players": [*NOW["players"][:2], [9, 8]]}))),
    "where the walls are": (
        chasing(THREE, **NOW),
        chasing(THREE, pooman=[6, 3], players=[[x + 1, y] for x, y in NOW["players"]]),
    ),
    "whose turn it is": (position(THREE), position(THREE, turn=1)),
    "whose turn it is in a chase": (chasing(THREE, **NOW), chasing(THREE, **NOW, turn=1)),
    "to draw again": (position(THREE), position(THREE, phase="again")),
    "the open card": (
        position(THREE, card="pooman", chase="off"),
        position(THREE, card="pooperman", chase="off"),
    ),
    "stars of player 1": (position(THREE), position([THREE[0], ["1 star"], THREE[2]])),
    "characters of player 1": (position(THREE), position([THREE[0], ["1 star", "1 star"], THREE[2]])),
    "a special of player 2": (position(THREE), position([*THREE[:2], [FLUSH, BALANCER]])),
    "a kept freshness": (position(THREE), position([*THREE[:2], [FLUSH, POOCICLE, FRESHNESS]])),
}


@pytest.mark.parametrize("thing", PAIRS)
def test_everybody_is_shown(thing):
    one, other = PAIRS[thing]
    for seat in range(4):
        assert GAME.observation(one, seat).tobytes() != GAME.observation(other, seat).tobytes(), seat
