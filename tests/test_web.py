"""Tables in the browser without one: what is told to whom, what is refused, and agents that answer programs."""

import json
import random
import time

import numpy as np
import pytest

import poopdeck
from poopdeck.training.storage.plain_json import json_text
from poopdeck.training.storage.replay import read_replays
from poopdeck.web.asking import act
from poopdeck.web.lobby import PERSON, Lobby
from poopdeck.web.messages import LONGEST, answer
from poopdeck.web.table import Refused, Table

SOCKET = "ws://localhost:8765/table"
ALL_VARIANTS = [(name, variant) for name in poopdeck.games() for variant in poopdeck.game(name).spec.variants]


def table_of_people(name, seed=1, **options):
    game = poopdeck.game(name)
    state = game.new_state(seed, **options)
    return Table(game, state, [None] * game.num_seats(state), poopdeck.load_agent("random", name))


def open_table(lobby, game="poop", agents=(PERSON, "random"), **asked):
    sitting = lobby.open({"game": game, "players": len(agents), "agents": list(agents), "seed": 1, **asked})
    return sitting.table


@pytest.mark.parametrize(("name", "variant"), ALL_VARIANTS)
def test_a_seat_is_sent_the_same_whatever_it_cannot_know(name, variant):
    """Everything hidden from a seat is dealt anew; the message to it stays the same to the byte."""
    table, rng, dealt = table_of_people(name, variant=variant), random.Random(3), 0
    for step in range(120):
        if table.over:
            break
        if step % 3 == 0:
            true = table.state
            for seat in range(len(table.names)):
                sent = json_text(table.message(seat))
                for seed in (1, 2):
                    table.state = table.game.resample(true, seat, seed)
                    dealt += table.game.dump(table.state) != table.game.dump(true)
                    assert json_text(table.message(seat)) == sent
                table.state = true
        acting = table.game.current_player(table.state)
        table.act(acting, rng.choice(table.game.legal_actions(table.state)))
    assert dealt > 0


def test_who_is_asked_in_secret_is_not_told_to_others():
    """While others answer, what a seat is sent does not change, so nothing is sent."""
    quiet = 0
    for seed in range(4):
        table = table_of_people("too_many_poops", seed, num_players=4, variant="reactions")
        rng = random.Random(seed)
        for _ in range(100):
            if table.over:
                break
            acting, before = table.game.current_player(table.state), [json_text(table.message(v)) for v in range(4)]
            action = rng.choice(table.game.legal_actions(table.state))
            told = table.game.spec.display.is_public(table.state, action)
            scenes = [table.game.scene(table.state, viewer) for viewer in range(4)]
            table.act(acting, action)
            for viewer in range(4):
                asked = table.game.current_player(table.state) == viewer
                same = table.game.scene(table.state, viewer) == scenes[viewer]
                seen = any(place.active and place.name == table.names[acting] for place in scenes[viewer].places)
                if viewer != acting and not asked and not told and same and not seen:
                    quiet += 1
                    assert json_text(table.message(viewer)) == before[viewer]
    assert quiet > 0


def test_secret_choices_are_asked_as_such():
    table = table_of_people("poo_head", num_players=3)
    acting = table.game.current_player(table.state)
    assert all(entry["secret"] for entry in table.message(acting)["legal"])  # cards to lie face up
    table = table_of_people("poop", num_players=3)
    acting = table.game.current_player(table.state)
    assert not any(entry["secret"] for entry in table.message(acting)["legal"])


def fuzzed(rng, legal):
    """A message as a browser might send it, right or wrong."""
    words = ["act", "hint", "undo", "review", "join", "", "\u202e", "é" * 10, "__class__", "-1", None, True, 1e308]
    values = [*words, -1, 0, 63, 2**70, 1.5, float("nan"), [], {}, [[]], {"a": 1}, *legal]
    kind = rng.randrange(8)
    if kind == 0:
        return "".join(chr(rng.randrange(1, 0xD7FF)) for _ in range(rng.randrange(40)))
    if kind == 1:
        return json.dumps(rng.choice(values))
    if kind == 2:
        return "[" * rng.randrange(LONGEST + 10)
    text = json.dumps({key: rng.choice(values) for key in rng.sample(["type", "action", "agent", "turn", "x"], 3)})
    if kind == 3:
        cut = rng.randrange(len(text))
        return text[:cut] + chr(rng.randrange(32, 127)) + text[cut + rng.randrange(3) :]
    return json.dumps({"type": rng.choice(words), "action": rng.choice(values), "agent": rng.choice(values)})


def test_ten_thousand_wrong_messages_get_clear_errors_and_leave_the_table_as_it_is():
    lobby, rng = Lobby(), random.Random(5)
    table = open_table(lobby, practice=True)
    errors = acted = 0
    for _ in range(10_000):
        if table.over:
            table = open_table(lobby, practice=True)
            lobby.sittings.clear()
        before, legal = json_text(table.message(0)), table.game.legal_actions(table.state)
        reply = answer(table, 0, fuzzed(rng, legal))
        if reply is not None and reply["type"] == "error":
            errors += 1
            assert 5 < len(reply["message"]) < 2000 and "Traceback" not in reply["message"]
            assert json_text(table.message(0)) == before
            json_text(reply).encode()
        else:
            acted += 1
    assert errors > 5000 and acted > 50
    assert answer(table, 0, json.dumps({"type": "hint"}))["type"] == "hint" or table.over


def test_only_the_seat_to_act_acts_and_only_legally():
    table = table_of_people("poop", num_players=3)
    acting = table.game.current_player(table.state)
    other = (acting + 1) % 3
    with pytest.raises(Refused, match="you are not to act now"):
        table.act(other, table.game.legal_actions(table.state)[0])
    with pytest.raises(Refused, match="legal now: "):
        table.act(acting, 39)
    for text in ("hint", "undo"):
        assert "practice" in answer(table, acting, json.dumps({"type": text}))["message"]
    assert "when the game is over" in answer(table, acting, '{"type": "review"}')["message"]


def test_moves_are_taken_back_in_practice():
    table = open_table(Lobby(), practice=True)
    first = table.message(0)
    table.act(0, first["legal"][0]["action"])
    assert table.message(0)["undo"]
    table.undo(0)
    assert table.message(0) == first
    with pytest.raises(Refused, match="no move"):
        table.undo(0)


def test_games_are_written_as_they_are_played(tmp_path):
    table = open_table(Lobby(save=tmp_path), practice=True)
    first = table.message(0)["legal"][0]["action"]
    table.act(0, first)
    table.undo(0)
    while not table.over:
        table.act(0, table.message(0)["legal"][0]["action"])
    [path] = tmp_path.iterdir()
    left, whole = read_replays(path)
    assert left.payoffs is None and whole.payoffs is not None
    left.verify()
    whole.verify()
    shown = answer(table, 0, '{"type": "review"}')
    assert shown["type"] == "review" and len(shown["frames"]) > 3
    hands = shown["frames"][0]["scene"]["places"][1]["zones"][0]["cards"]
    assert all(card["face_up"] and card["label"] for card in hands)


def test_what_is_wrong_with_a_table_is_said():
    lobby = Lobby(most=2, any_agent=False, offered=("heuristic:highest",))
    for asked, message in [
        ([], "a JSON object"),
        ({"game": "chess", "agents": []}, "chess"),
        ({"game": "os:system", "agents": []}, "allowed is poo_head"),
        ({"game": "poop", "agents": "random"}, "a list of names"),
        ({"game": "poop", "players": 3, "agents": [PERSON, "random"]}, "3 names are wanted"),
        ({"game": "poop", "players": 2, "agents": ["random", "random"]}, "at least one"),
        ({"game": "poop", "players": 2, "agents": [PERSON, "/etc"]}, "agent '/etc': there are random"),
        ({"game": "poop", "players": 99, "agents": [PERSON, "random"]}, "num_players=99"),
        ({"game": "poop", "players": "two", "agents": [PERSON, "random"]}, "num_players='two'"),
        ({"game": "poop", "players": 2, "seed": -1, "agents": [PERSON, "random"]}, "seed"),
        ({"game": "poop", "players": 2, "variant": "x", "agents": [PERSON, "random"]}, "variant='x'"),
        ({"game": "poop", "players": 2, "parameters": {"x": 1}, "agents": [PERSON, "random"]}, "no parameter 'x'"),
        ({"game": "poop", "players": 2, "agents": [PERSON, PERSON], "practice": True}, "practice is for one person"),
        ({"game": "poop", "colour": 2}, "'colour': allowed is game"),
    ]:
        with pytest.raises(ValueError, match=message.replace("[", "\\[")):
            lobby.open(asked)
    assert lobby.sittings == {}
    for _ in range(2):
        open_table(lobby)
    with pytest.raises(Refused, match="all 2 tables are taken"):
        open_table(lobby)


def test_tables_that_nobody_uses_go():
    lobby = Lobby(idle=0.05)
    sitting = lobby.open({"game": "poop", "players": 2, "agents": [PERSON, "random"]})
    key = sitting.table.keys[0]
    assert lobby.find(sitting.name, key) == (sitting, 0)
    for name, secret in [(sitting.name, "x"), ("x", key), (None, None), (sitting.name, 5), ([], {})]:
        with pytest.raises(Refused, match="no such table"):
            lobby.find(name, secret)
    time.sleep(0.1)
    lobby.clear()
    assert lobby.sittings == {}


@pytest.mark.parametrize("name", poopdeck.games())
def test_programs_ask_with_a_position_or_an_observation(name):
    game = poopdeck.game(name)
    state = game.new_state(3)
    seat, mask = game.current_player(state), game.action_mask(state)
    lobby = Lobby()
    by_scenario = act(lobby, {"game": name, "scenario": game.dump(state), "seat": seat})
    observation = game.observation(state, seat).tolist()
    asked = {"game": name, "observation": observation, "mask": mask.tolist(), "seat": seat}
    assert act(lobby, asked) == by_scenario
    assert [entry["action"] for entry in by_scenario["legal"]] == np.flatnonzero(mask).tolist()
    assert mask[by_scenario["action"]] and by_scenario["name"] == game.action_name(by_scenario["action"], state)
    assert sum(entry["probability"] for entry in by_scenario["legal"]) == pytest.approx(1)


def test_a_searcher_says_what_it_gains_and_wants_a_position():
    lobby, game = Lobby(), poopdeck.game("poop")
    state = game.new_state(3, 2)
    asked = {"game": "poop", "agent": "search:deals=8", "scenario": game.dump(state)}
    found = act(lobby, asked)
    assert any(entry.get("error", 0) > 0 and "gain" in entry for entry in found["legal"]) and isinstance(
        found["value"], float
    )
    assert act(lobby, asked) == found
    observation = game.observation(state, game.current_player(state)).tolist()
    asked = {"game": "poop", "agent": "search:deals=8", "observation": observation, "players": 2}
    with pytest.raises(Refused, match="needs a position"):
        act(lobby, {**asked, "mask": game.action_mask(state).tolist()})


def test_what_is_wrong_with_a_question_is_said():
    lobby, game = Lobby(), poopdeck.game("poop")
    size = game.spec.observation_size(game.spec.settings())
    for asked, message in [
        (5, "a JSON object"),
        ({"game": "poop"}, f"observation: a list of {size} numbers"),
        ({"game": "poop", "observation": [0.0] * size, "mask": [0] * 40}, "at least one"),
        ({"game": "poop", "observation": [0.0] * size, "mask": [2] * 40}, "mask: 1 for every legal"),
        ({"game": "poop", "observation": [0.0] * size, "mask": [257.5] * 40}, "mask: 1 for every legal"),
        ({"game": "poop", "observation": [float("nan")] * size, "mask": [1] * 40}, "numbers is wanted"),
        ({"game": "poop", "observation": [10**400] * size, "mask": [1] * 40}, "numbers is wanted"),
        ({"game": "poop", "scenario": {"hands": 5}}, "hands"),
        ({"game": "poop", "scenario": {}, "seat": 77}, "seat=77"),
        ({"game": "poop", "scenario": {}, "seed": -1}, "seed=-1"),
        ({"game": "poop", "scenario": {}, "agent": "nobody"}, "nobody"),
        ({"game": "poop", "scenario": {}, "mask": []}, "mask: the scenario says this itself"),
        ({"game": "poop", "obs": []}, "'obs': allowed is game"),
    ]:
        with pytest.raises(ValueError, match=message):
            act(lobby, asked)


# Over HTTP and WebSockets


@pytest.fixture
def client():
    testing = pytest.importorskip("starlette.testclient", reason="the extra web is not installed")
    from poopdeck.web.server import Server

    with testing.TestClient(Server(Lobby(), hold=0.05).app(), base_url="http://localhost:8765") as found:
        yield found


def opened(client, agents=(PERSON, "random"), **asked):
    """The links of a new table, as table and key."""
    made = client.post("/api/tables", json={"game": "poop", "players": len(agents), "agents": agents, **asked})
    assert made.status_code == 200, made.text
    return [dict(zip(("table", "key"), link[1:].split("."), strict=True)) for link in made.json()["seats"].values()]


def test_requests_from_elsewhere_are_not_taken(client):
    asked = {"game": "poop", "players": 2, "agents": [PERSON, "random"]}
    for headers in [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": "evil.example:8765"}]:
        assert client.post("/api/tables", json=asked, headers=headers).status_code == 403
        assert client.post("/act", json={"game": "poop", "scenario": {}}, headers=headers).status_code == 403
        assert client.get("/", headers=headers).status_code == 403
    assert client.post("/api/tables", json=asked, headers={"Origin": "http://localhost:8765"}).status_code == 200
    [link] = opened(client)
    with client.websocket_connect(SOCKET, headers={"Origin": "http://evil.example"}) as socket:
        socket.send_json(link)
        assert "other pages" in socket.receive_json()["message"]
    page = client.get("/")
    assert "default-src 'self'" in page.headers["content-security-policy"]


def test_requests_that_are_too_large_or_no_json_are_refused(client):
    assert "at most 2000000 bytes" in client.post("/act", content=b"x" * 2_000_001).json()["error"]
    for content in (b"{", b"\xff", b"[" * 100_000):
        refused = client.post("/act", content=content)
        assert refused.status_code == 400 and "not JSON" in refused.json()["error"]
    assert client.post("/api/replay", content=b"\xff\n").status_code == 400
    assert "line 1" in client.post("/api/replay", content=b"{}\n").json()["error"]


def test_a_seat_is_sent_its_position_and_acts(client):
    [link] = opened(client, seed=1)
    with client.websocket_connect(SOCKET) as socket:
        socket.send_json(link)
        first = socket.receive_json()
        assert first["type"] == "position" and first["turn"] == 1 and first["legal"]
        socket.send_json({"type": "act", "action": first["legal"][0]["action"], "turn": 1})
        assert socket.receive_json()["turn"] == 2
        socket.send_json({"type": "act", "action": first["legal"][0]["action"], "turn": 1})  # a second click
        assert "has changed since" in socket.receive_json()["message"]
        for text in ("{", "[]", "x" * 5000, '{"type": "fly"}'):
            socket.send_text(text)
            assert socket.receive_json()["type"] == "error"
    with client.websocket_connect(SOCKET) as socket:  # coming back shows the same position
        socket.send_json(link)
        assert socket.receive_json()["told_count"] >= 1
    with client.websocket_connect(SOCKET) as socket:
        socket.send_json({**link, "key": "wrong"})
        assert socket.receive_json()["fatal"]


def test_an_agent_plays_for_who_is_gone_and_the_seat_is_theirs_again(client):
    mine, other = opened(client, (PERSON, PERSON), seed=1)
    with client.websocket_connect(SOCKET) as socket:
        socket.send_json(mine)
        position = socket.receive_json()
        with client.websocket_connect(SOCKET) as gone:
            gone.send_json(other)
            gone.receive_json()
        for _ in range(200):
            if "away, an agent plays" in position["who"].values():
                break
            if position["legal"]:
                socket.send_json({"type": "act", "action": position["legal"][0]["action"]})
            position = socket.receive_json()
        assert position["who"]["player_1"] == "away, an agent plays"
        with client.websocket_connect(SOCKET) as back:
            back.send_json(other)
            assert back.receive_json()["who"]["player_1"] == "person"
            assert socket.receive_json()["who"]["player_1"] == "person"


@pytest.mark.parametrize("name", poopdeck.games())
def test_the_rules_are_at_hand_in_a_checkout_and_without_one(client, name, monkeypatch, tmp_path):
    page = client.get(f"/rules/{name}")
    assert page.status_code == 200 and page.text.startswith("# ")
    monkeypatch.setattr("poopdeck.web.server.RULES", tmp_path)  # as where the wheel is installed
    installed = client.get(f"/rules/{name}")
    assert installed.status_code == 200 and len(installed.text) > 2000
