"""Saved games: written as they are played, read again, shown, checked, and as arrays."""

import json

import numpy as np
import pytest
from test_cli import poopdeck as command

import poopdeck
from poopdeck.play import play
from poopdeck.training.evaluation.match import play_games
from poopdeck.training.evaluation.saved_games import SavedGames
from poopdeck.training.storage.replay import ReplayError, ReplayWriter, lines_of_game, read_replays


def record(path, name="poop", seeds=(1, 2), agent="random", **options):
    """Writes games between agents; returns the payoffs."""
    game, paid = poopdeck.game(name), []
    with ReplayWriter(path) as writer:
        for seed in seeds:
            state = game.new_state(seed, **options)
            agents = [poopdeck.load_agent(agent, name, **options)] * game.num_seats(state)
            paid.append(play(game, state, agents, seed, show=lambda _: None, record=writer))
    return paid


@pytest.mark.parametrize("name", poopdeck.games())
def test_a_written_game_is_read_and_played_again(tmp_path, name):
    path = tmp_path / "games.jsonl"
    paid = record(path, name)
    games = read_replays(path)
    assert len(games) == 2
    for replay, payoffs in zip(games, paid, strict=True):
        assert np.allclose(replay.payoffs, payoffs)
        assert len(replay.actions) > 2 and replay.seed in (1, 2)
        assert {player["agent"] for player in replay.players} == {"random"}
        replay.verify()
    last = list(games[1].positions())[-1]
    assert last[0].is_terminal(last[1]) and last[2] is None


def test_a_position_without_a_seed_is_kept_whole(tmp_path):
    game = poopdeck.game("poo_head")
    state = game.load({"hands": [["7"], ["3", "9"]], "pile": ["2"], "turn": 0})
    with ReplayWriter(tmp_path / "game.jsonl") as writer:
        agents = [poopdeck.load_agent("random", "poo_head", 2)] * 2
        play(game, state, agents, show=lambda _: None, record=writer)
    [replay] = read_replays(tmp_path / "game.jsonl")
    assert replay.seed is None and replay.start["pile"] == ["2"]
    replay.verify()


def changed(path, number, **content):
    lines = path.read_text().splitlines()
    lines[number - 1] = json.dumps({**json.loads(lines[number - 1]), **content})
    path.write_text("\n".join(lines) + "\n")


def test_it_says_exactly_where_a_file_is_wrong(tmp_path):
    path = tmp_path / "game.jsonl"
    record(path, seeds=(1,), num_players=2)
    whole, end = path.read_text(), len(path.read_text().splitlines())
    for number, content, message in [
        (4, {"action": 39}, "line 4: decision 3 is not legal: poop: player_"),
        (3, {"seat": 7}, "line 3: decision 2 is of seat 7, but seat"),
        (end, {"payoffs": [0.5, 0.5]}, f"line {end}: payoffs \\[0.5, 0.5\\] are recorded, the rules pay"),
        (end, {"truncated": True}, f"line {end}: truncated is True"),
        (1, {"game": "poopdeck/poop-v99"}, "line 1: .*poop-v99"),
        (1, {"settings": {"num_players": 99}}, "line 1: num_players=99"),
    ]:
        path.write_text(whole)
        changed(path, number, **content)
        with pytest.raises(ReplayError, match=message):
            read_replays(path)[0].verify()
    for number, text, message in [
        (2, "{", "line 2: not JSON"),
        (2, "[]", "line 2: a JSON object is wanted"),
        (2, '{"seat": 0}', "line 2: whole numbers seat and action"),
        (1, '{"replay": 9}', "line 1: replay format 9"),
        (1, '{"seat": 0, "action": 1}', "line 1: a replay begins with"),
    ]:
        lines = whole.splitlines()
        lines[number - 1] = text
        path.write_text("\n".join(lines) + "\n")
        with pytest.raises(ReplayError, match=message):
            read_replays(path)


def test_what_a_dying_process_was_writing_is_left_out(tmp_path):
    path = tmp_path / "game.jsonl"
    record(path, seeds=(1,))
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:5]) + '\n{"seat": 0, "act')
    [replay] = read_replays(path)
    assert replay.payoffs is None and len(replay.actions) == 4
    replay.verify()


def test_no_file_is_overwritten(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text("mine")
    with pytest.raises(ValueError, match="exists already"):
        ReplayWriter(path)
    assert path.read_text() == "mine"


@pytest.mark.parametrize("name", poopdeck.games())
def test_arrays_hold_what_every_seat_saw_did_and_got(tmp_path, name):
    path = tmp_path / "games.jsonl"
    paid = record(path, name)
    found = poopdeck.replays(path)
    count = len(found.actions)
    assert found.observations.shape == (count, found.game.spec.observation_size(found.settings))
    assert found.masks[np.arange(count), found.actions].all()
    assert np.allclose(found.payoffs, paid)
    assert found.games.tolist() == sorted(found.games.tolist()) and set(found.games) == {0, 1}
    for number, payoffs in enumerate(paid):
        for seat, payoff in enumerate(payoffs):
            own = (found.games == number) & (found.seats == seat)
            if own.any():  # all is paid after the first decision
                assert found.returns[own][0] == pytest.approx(payoff)

    assert np.isfinite(found.observations).all()


def test_arrays_are_of_one_kind_of_game(tmp_path):
    record(tmp_path / "two.jsonl", num_players=2)
    record(tmp_path / "three.jsonl", num_players=3)
    with pytest.raises(ReplayError, match="other settings"):
        poopdeck.replays(tmp_path / "two.jsonl", tmp_path / "three.jsonl")
    (tmp_path / "head.jsonl").write_text((tmp_path / "two.jsonl").read_text().splitlines()[0] + "\n")
    with pytest.raises(ReplayError, match="no finished game"):
        poopdeck.replays(tmp_path / "head.jsonl")


def test_the_command_shows_checks_and_films(tmp_path):
    path = tmp_path / "games.jsonl"
    record(path, num_players=2)
    shown = command("replay", path, "--number", 2)
    assert shown.returncode == 0 and "seed 2: random, random" in shown.stdout and "payoffs: player_0" in shown.stdout
    shown = command("replay", path, "--verify")
    assert shown.returncode == 0 and "2 games, 2 finished: every action legal" in shown.stdout
    film = command("replay", path, "--out", tmp_path / "game.gif", "--width", 200)
    assert film.returncode == 0 and (tmp_path / "game.gif").read_bytes()[:3] == b"GIF"
    changed(path, 4, action=39)
    shown = command("replay", path, "--verify")
    assert shown.returncode == 1 and "game 1:" in shown.stderr and "line 4: decision 3 is not legal" in shown.stderr
    assert "1 wrong" in shown.stdout
    shown = command("replay", path, "--number", 3)
    assert shown.returncode == 2 and "holds 2 games" in shown.stderr


def test_play_saves_what_was_played(tmp_path):
    path = tmp_path / "left.jsonl"
    # a person leaves after two choices: all until then is kept
    shown = command("play", "poo_head", "--players", 2, "--seed", 1, "--save", path, stdin="1\n1\nq\n")
    assert shown.returncode == 0, shown.stderr
    [replay] = read_replays(path)
    assert replay.payoffs is None and replay.players[0] == {"agent": "human"}
    assert sum(seat == 0 for seat in replay.seats) == 2
    replay.verify()
    again = command("play", "poo_head", "--save", path, stdin="q\n")
    assert again.returncode == 2 and "exists already" in again.stderr


MATCHES = [
    ("poop", "heuristic", "random"),
    ("pooman", "heuristic", "heuristic"),
    ("poo_head", "search:deals=2", "random"),
]


@pytest.mark.parametrize(("name", "agent", "other"), MATCHES)
def test_evaluations_write_games_as_they_were_counted(tmp_path, name, agent, other):
    """With the same cards and choices, of compiled agents and of those asked in Python."""
    path, players = tmp_path / "games.jsonl", poopdeck.game(name).spec.min_players
    game, settings = poopdeck.game(name), poopdeck.game(name).spec.settings(players)
    agents = [poopdeck.load_agent(one, name, players) for one in (agent, other)]
    seats = game.num_seats(game.new_state(0, players))
    lineups = np.array([[(seat + row) % 2 for seat in range(seats)] for row in range(8)])
    deals = np.arange(8) // 2
    plain = play_games(game, settings, agents, lineups, deals, seed=3)
    saved = play_games(game, settings, agents, lineups, deals, seed=3, save=SavedGames(path, 2))
    assert np.array_equal(plain.returns, saved.returns) and np.array_equal(plain.lengths, saved.lengths)
    games = read_replays(path)
    assert len(games) == 4
    for replay, row in zip(games, range(0, 8, 2), strict=True):
        replay.verify()
        assert np.allclose(replay.payoffs, plain.returns[row]) and len(replay.actions) == plain.lengths[row]
        assert [player["agent"] for player in replay.players] == [agents[k].name for k in lineups[row]]


def test_the_command_writes_lost_games(tmp_path):
    path = tmp_path / "lost.jsonl"
    options = ("--game", "poop", "--players", 2, "--games", 40, "--save", path, "--every", 1, "--lost")
    shown = command("evaluate", "random", "--against", "heuristic", *options)
    assert shown.returncode == 0, shown.stderr
    games = read_replays(path)
    assert f"{len(games)} games written to {path}" in shown.stdout and 5 < len(games) < 40
    for replay in games:
        replay.verify()
        assert replay.payoffs[[player["agent"] for player in replay.players].index("random")] < 0
    again = command("evaluate", "random", "--against", "heuristic", *options)
    assert again.returncode == 2 and "exists already" in again.stderr


def test_tournaments_write_games_into_their_folder(tmp_path):
    out = tmp_path / "tournament"
    options = ("--players", 2, "--games", 60, "--out", out, "--save-every", 10)
    shown = command("tournament", "poop", "random", "heuristic", *options)
    assert shown.returncode == 0, shown.stderr
    games = [replay for path in sorted((out / "replays").iterdir()) for replay in read_replays(path)]
    assert len(games) >= 6
    for replay in games:
        replay.verify()
        assert {player["agent"] for player in replay.players} <= {"random", "heuristic"}


def test_the_lines_of_one_game_are_found_behind_which_another_was_being_written(tmp_path):
    path = tmp_path / "games.jsonl"
    game = poopdeck.game("poo_head")
    with ReplayWriter(path) as writer:
        for seed in (1, 2):
            writer.begin(game, game.new_state(seed), [])
    whole = path.read_text().splitlines()
    assert len(whole) == 2
    path.write_text("\n".join(whole) + "\n" + whole[0][:20])  # its process died
    assert len(read_replays(path)) == 2
    assert lines_of_game(path, 2) == whole[1:]
