"""Games to look at: what is told, who sees what, and the animated file."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from test_cli import poopdeck as command

import poopdeck
from poopdeck.envs.render import film
from poopdeck.watch import frames, still, with_words


def watched(name, seed=3, viewer=None, **options):
    game = poopdeck.game(name)
    state = game.new_state(seed, **options)
    agents = [poopdeck.load_agent("random", name, options.get("num_players"))] * game.num_seats(state)
    return game, state, list(frames(game, state, agents, seed, viewer))


@pytest.mark.parametrize("name", poopdeck.games())
def test_a_game_is_shown_to_its_end_and_every_decision_is_told_once(name):
    game, state, found = watched(name)
    assert game.is_terminal(state) and len(found) > 2
    told = [line for frame in found for line in frame.done]
    assert len(told) == game.dump(state)["decisions"]
    assert all(still(one.scene) != still(other.scene) for one, other in zip(found, found[1:-1], strict=False))
    assert found[-1].scene == game.scene(state)


def test_what_is_done_is_told_in_the_words_of_the_edition():
    _, _, found = watched("poop", edition="party_pooper")
    told = " ".join(line for frame in found for line in frame.done)
    assert "play green " in told and "play purple " in told and "blue" not in told and "yellow" not in told


def test_a_seat_is_not_told_what_it_may_not_see():
    _, _, everything = watched("poo_head")
    game, _, found = watched("poo_head", viewer=1)
    tabled = [line for frame in everything for line in frame.done if ": table" in line]
    assert len(tabled) == 12
    seen = [line for frame in found for line in frame.done if ": table" in line]
    assert seen == [line for line in tabled if line.startswith("player_1")] and len(seen) == 3
    assert not any(card.label for place in found[5].scene.places[1:] for card in place.zones[0].cards)


def test_of_many_decisions_the_last_are_written_below_the_table():
    _, _, found = watched("poo_head")
    frame = replace(found[1], done=("a", "b", "c", "d"))
    assert with_words(frame, 2).lines[-1] == "… c; d"
    assert with_words(replace(frame, done=())).lines == frame.scene.lines


@pytest.mark.parametrize("name", ["a.gif", "b.webp"])
def test_films_have_their_frames_and_durations(tmp_path, name):
    frames = [np.full((8, 12, 3), shade, np.uint8) for shade in (0, 120, 240)]
    film.write(tmp_path / name, frames, [0.1, 0.2, 0.5])
    with Image.open(tmp_path / name) as picture:
        assert picture.n_frames == 3 and picture.size == (12, 8)
        durations = []
        for number in range(3):
            picture.seek(number)
            picture.load()
            durations.append(picture.info["duration"])
            shade = np.asarray(picture.convert("RGB"), int)
            assert abs(shade - int(frames[number][0, 0, 0])).max() <= 8
        assert durations == [100, 200, 500]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_film_replaces_nothing_unasked_and_knows_its_formats(tmp_path):
    path = tmp_path / "game.gif"
    path.write_bytes(b"mine")
    frame = np.zeros((4, 4, 3), np.uint8)
    with pytest.raises(ValueError, match="exists already"):
        film.write(path, [frame], [1.0])
    assert path.read_bytes() == b"mine"
    film.write(path, [frame], [1.0], overwrite=True)
    assert path.read_bytes()[:3] == b"GIF"
    with pytest.raises(ValueError, match=r"\.gif or \.webp"):
        film.write(tmp_path / "game.mp4", [frame], [1.0])
    with pytest.raises(ValueError, match="0 frames"):
        film.write(tmp_path / "none.gif", [], [])


def test_the_command_shows_text_and_writes_films(tmp_path):
    shown = command("watch", "poo_head", "--players", 2, "--seed", 5, "--agents", "random,heuristic")
    assert shown.returncode == 0 and "payoffs: player_0" in shown.stdout and "player_1: play" in shown.stdout
    path = tmp_path / "game.gif"
    scenario = tmp_path / "end.json"
    scenario.write_text('{"hands": [["7"], ["3", "9"]], "pile": ["2"], "strict": true, "turn": 0}')
    shown = command("watch", "poo_head", "--scenario", scenario, "--out", path, "--width", 200)
    assert shown.returncode == 0, shown.stderr
    assert str(path) in shown.stdout
    with Image.open(path) as picture:
        assert picture.size[0] == 200 and picture.n_frames >= 2
    shown = command("watch", "poo_head", "--most", 3, "--agents", "random")
    assert shown.returncode == 0 and "the game goes on" in shown.stdout and "payoffs" not in shown.stdout
    again = command("watch", "poo_head", "--scenario", scenario, "--out", path)
    assert again.returncode == 2 and "exists already" in again.stderr
    wrong = command("watch", "poo_head", "--agents", "random,random")
    assert wrong.returncode == 2 and "2 agents for 4 seats" in wrong.stderr
