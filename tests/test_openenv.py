"""A seat of a game in OpenEnv; needs the extra ``openenv`` (``make test-extras``)."""

import numpy as np
import pytest

pytest.importorskip("openenv.core", reason='needs OpenEnv: pip install "poopdeck[openenv]"')

from fastapi.testclient import TestClient  # noqa: E402
from openenv.core.env_server import create_fastapi_app  # noqa: E402

import poopdeck  # noqa: E402
from poopdeck.agents.language.openenv import LanguageEnvironment, TextAction, TextObservation  # noqa: E402
from poopdeck.agents.random import RandomAgent  # noqa: E402
from poopdeck.envs.core import registry  # noqa: E402

GAMES = sorted(registry.BUILT_IN)


def table(name="poop", **options):
    return LanguageEnvironment(poopdeck.game(name), [RandomAgent()], **{"num_players": 2, **options})


def play(env, seed):
    """A whole game by the last legal action: all that was told, and the rewards."""
    seen, rewards = env.reset(seed=seed), []
    texts = [seen.text]
    while not seen.done:
        number, name = list(seen.legal_actions.items())[-1]
        assert f"{number}: {name}" in seen.text and seen.reading == "read"
        seen = env.step(TextAction(answer=f"I think.\naction: {name}"))
        texts.append(seen.text)
        rewards.append(seen.reward)
    return texts, rewards


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_to_its_end(name):
    env = table(name)
    texts, rewards = play(env, 3)
    assert texts[0].startswith("You play ") and texts[-1] == "The game is over."
    low, high = env.game.spec.parameters.payoff_bounds(env.table.settings)
    assert low <= sum(rewards) <= high and env.state.step_count == len(rewards)
    assert play(env, 3) == (texts, rewards) != play(env, 4)


def test_rewards_are_those_of_the_gymnasium_environment():
    """The same seed and choices, at tables of the same opponents."""
    env, plain = table(), poopdeck.make_gymnasium_vec("poop", 1, "random", 2, autoreset_mode="next_step")
    for seed in range(4):
        _, rewards = play(env, seed)
        seen, _ = plain.reset(seed=seed)
        found = []
        while True:
            action = np.flatnonzero(seen["action_mask"][0])[-1]
            seen, reward, terminated, truncated, _ = plain.step(np.array([action]))
            found.append(float(reward[0]))
            if terminated[0] or truncated[0]:
                break
        assert found == rewards


def test_it_is_told_no_more_than_its_seat_knows():
    env = table()
    first = env.reset(seed=1)
    state = env.table.state(0)
    for seed in range(5):
        other = env.game.resample(state, first.seat, seed)
        env.table.states[:] = other.records
        assert env._asked(None).text in first.text


def test_what_cannot_be_read_is_told_and_forfeits_in_the_end():
    env = table(retries=2)
    env.reset(seed=1)
    for answer, reading in (("", "silent"), ("I like both", "unreadable")):
        seen = env.step(TextAction(answer=answer))
        assert not seen.done and seen.reward == 0 and seen.reading == reading and "legal now" in seen.text
    seen = env.step(TextAction(answer=str(next(iter(seen.legal_actions)))))  # begins the count anew
    assert not seen.done and seen.reading == "read"
    for _ in range(3):
        assert not seen.done
        seen = env.step(TextAction(answer="fly away"))
    assert seen.done and seen.reward == -1.0 and "forfeit" in seen.text
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(TextAction(answer="0"))
    with pytest.raises(ValueError, match="retries=-1"):
        table(retries=-1)


def test_its_server_plays_sessions_of_their_own():
    app = create_fastapi_app(table, TextAction, TextObservation, max_concurrent_envs=2)
    client = TestClient(app)
    assert client.get("/metadata").json()["name"] == "poopdeck/poop-v0"
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as other:
        first = {}
        for seed, socket in enumerate((one, other)):
            socket.send_json({"type": "reset", "data": {"seed": seed}})
            first[seed] = socket.receive_json()["data"]["observation"]
        assert first[0]["text"] != first[1]["text"]
        for socket in (one, other):
            socket.send_json({"type": "step", "data": {"answer": "fly away"}})
            answered = socket.receive_json()["data"]
            assert answered["observation"]["reading"] == "unreadable" and answered["done"] is False
