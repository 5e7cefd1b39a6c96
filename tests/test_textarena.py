"""The games in TextArena; needs the extra ``textarena`` (``make test-extras``)."""

import random
import re

import numpy as np
import pytest

textarena = pytest.importorskip("textarena", reason='needs TextArena: pip install "poopdeck[textarena]"')

import poopdeck  # noqa: E402
from poopdeck.agents.language.textarena import TextArenaEnv  # noqa: E402
from poopdeck.envs.core import registry  # noqa: E402

GAMES = sorted(registry.BUILT_IN)
ACTION = re.compile(r"^(\d+): (.+)$", re.MULTILINE)


def seats_of(name, players=3):
    spec = registry.spec(name)
    return spec.num_seats(spec.settings(players))


def legal_in(text):
    """The names of the actions that a text lists last."""
    return [name for _, name in ACTION.findall(text.rpartition("Your legal actions")[2])]


def play(env, seed, seats, answer):
    """A game by ``answer(player, what it was told)``; (rewards, info, number of answers)."""
    env.reset(num_players=seats, seed=seed)
    done, count = False, 0
    while not done:
        player, told = env.get_observation()
        done, _ = env.step(answer(player, told))
        count += 1
    return *env.close(), count


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_to_its_end_and_pays_what_it_pays(name):
    """The same seed and actions as at the plain interface."""
    game, seats = poopdeck.game(name), seats_of(name)
    rng, s = np.random.default_rng(0), game.new_state(5, num_players=3)

    def answer(player, told):
        while len(legal := game.legal_actions(s)) == 1:
            game.apply_action(s, legal[0])
        assert player == game.current_player(s)
        names = game.spec.action_names(s.settings)
        assert legal_in(told) == [names[action] for action in legal]
        action = int(rng.choice(legal))
        game.apply_action(s, action)
        return f"Hm.\naction: {names[action]}"

    rewards, info, count = play(textarena.make(f"poopdeck/{name}-v0"), 5, seats, answer)
    while not game.is_terminal(s):
        game.apply_action(s, game.legal_actions(s)[0])
    assert list(rewards) == list(range(seats)) and list(rewards.values()) == pytest.approx(game.returns(s), abs=1e-6)
    assert sum(one["turn_count"] for one in info.values()) == count
    assert not any(one["invalid_move"] for one in info.values())


def test_the_same_seed_is_the_same_game_and_pythons_own_chance_is_left_alone():
    env = textarena.make("poopdeck/poop-v0-raw", told="full")
    told = []
    random.seed(1)
    expected = random.Random(1).random()
    for seed in (3, 3, 4):
        env.reset(num_players=2, seed=seed)
        told.append(env.get_observation())
    assert told[0] == told[1] != told[2]
    assert random.random() == expected


def test_nobody_is_told_what_others_hold_or_answer():
    """What a player is told is the same wherever what it cannot know lies otherwise."""
    game = poopdeck.game("poop")
    env = TextArenaEnv(game, told="full")
    env.reset(num_players=2, seed=3)
    player, first = env.get_observation()
    for seed in range(5):
        env.position = game.resample(env.position, player, seed)
        env.state.observations[player] = first[:1]
        env._go_on()
        assert env.get_observation()[1] == first
    env.reset(num_players=2, seed=3)
    env.get_observation()
    env.step(f"a secret of mine [{legal_in(first[-1][1])[0]}]")
    others = [text for _, text, _ in env.state.observations[1 - player]]
    assert others and not any("secret" in text for text in others)


def test_what_cannot_be_read_is_told_and_forfeits_in_the_end():
    env = textarena.make("poopdeck/poop-v0", retries=2)
    env.reset(num_players=3, seed=0)
    player, told = env.get_observation()
    for answer in ("", "I like both"):
        assert env.step(answer)[0] is False
        again, told = env.get_observation()
        assert again == player and "attempted an invalid move" in told and "legal now" in told
    right = legal_in(told.replace("[GAME]", "\n"))[0]
    assert env.step(right)[0] is False  # a right answer begins the count anew
    player, _ = env.get_observation()
    for _ in range(3):
        done, _ = env.step("action: fly away")
    rewards, info = env.close()
    assert done and rewards == {seat: -1.0 if seat == player else 0.5 for seat in range(3)}
    assert [info[seat]["invalid_move"] for seat in range(3)] == [seat == player for seat in range(3)]


def test_changes_are_shorter_and_forced_decisions_are_asked_on_demand():
    lengths, counts = [], []
    for options in ({"told": "changes"}, {"told": "full"}, {"told": "full", "forced": True}):
        told_all = []

        def first(player, told, told_all=told_all):
            text = told[-1][1]
            told_all.append(text)
            return legal_in(text)[0]

        *_, count = play(textarena.make("poopdeck/poo_head-v0-raw", **options), 1, 2, first)
        lengths.append(sum(map(len, told_all)) / count)
        counts.append(count)
    assert lengths[0] < 0.9 * lengths[1] and counts[0] == counts[1] < counts[2]


def test_wrong_arguments_are_refused():
    for wrong, says in (
        ({"told": "all"}, "told='all'"),
        ({"retries": -1}, "retries=-1"),
        ({"rules": "x"}, "rules='x'"),
    ):
        with pytest.raises(ValueError, match=says):
            TextArenaEnv("poop", **wrong)
    with pytest.raises(ValueError, match="num_players=9"):
        TextArenaEnv("poop").reset(num_players=9)
    with pytest.raises(TypeError, match="lid"):
        TextArenaEnv("poop", lid=3).reset(num_players=2)
    with pytest.raises(ValueError, match="num_players=1"):
        TextArenaEnv("pooman").reset(num_players=2)  # the Pooman is one of them
