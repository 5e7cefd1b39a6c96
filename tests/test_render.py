"""Pictures: hand-made scenes as text, as pixels and in a window."""

import copy
import os
import pickle
import re
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from poopdeck.envs.core import registry
from poopdeck.envs.core.scene import COLOURS, Card, Grid, Place, Scene, Zone
from poopdeck.envs.render import ansi, cards, rgb
from poopdeck.envs.render.window import Window

BACK = Card("", face_up=False)
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def zone(name, *labels, style="row"):
    return Zone(name, tuple(BACK if label is None else Card(label) for label in labels), style)


def poo_head(num_players, active=0):
    """A Poo Head table; player_2, if there is one, is out."""
    faces = [("5", "5", "9"), ("10", "poo head", "bomb"), ("0", "2", "2")]
    places = []
    for i in range(num_players):
        hand = zone("hand", "3", "7", "poo head") if i == 0 else zone("hand", *[None] * (2 + i % 9), style="fan")
        zones = (hand, zone("face up", *faces[i % 3]), zone("face down", None, None, None))
        out = i == 2
        if out:
            zones = tuple(replace(z, cards=()) for z in zones)
        places.append(Place(f"player_{i}", zones, i == active, "out: 1st" if out else "", out))
    centre = (
        zone("draw pile", *[None] * 12, style="stack"),
        zone("pile", "3", "3", "6", "9", style="fan"),
        zone("burnt", *["10"] * 4, "bomb", style="stack"),
    )
    return Scene("Poo Head", tuple(places), centre, ("player_0 to act", "9 or higher, a Poo Head or a Bomb"))


def long_labels():
    hand = [Card(f"{c} wild whistle", c) for c in COLOURS[1:]] + [Card("smell the freshness"), Card("poo head")]
    home = (Card("tabby 0", "brown", turned=True), Card("rainbow", "purple", count=3), Card("ginger 4", "orange"))
    places = (
        Place("player_0", (Zone("hand", tuple(hand)), Zone("home", home)), note="4 points, 2 poops"),
        Place("a player with quite a long name", (Zone("home", home, "fan"),), active=True, note="duty: hold nose"),
        Place("player_2", ()),
    )
    return Scene("Long labels", places, (Zone("a pile with a long name", tuple(hand), "fan"), zone("empty")))


def room():
    tokens = ((5, 0, "pooman", "brown"), (2, 3, "player_0", "blue"), (4, 4, "player_1", "red"), (4, 4, "P2", "green"))
    places = (Place("player_0", (zone("in front", "1 star", "2 stars"),), True), Place("pooman", ()))
    return Scene("Pooman", places, (zone("deck", *[None] * 22, style="stack"),), ("7 ticks",), Grid(11, 11, tokens))


SCENES = {
    "one": poo_head(1),
    "two": poo_head(2, active=1),
    "four": poo_head(4),
    "seven": poo_head(7),
    "ten": poo_head(10, active=5),
    "twenty-five": poo_head(25, active=14),
    "long labels": long_labels(),
    "room": room(),
    "nobody": Scene("", (), ()),
}
scenes = pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())


def shown_labels(scene):
    """Every label that lies open: all of rows and fans, the top of stacks."""
    zones = [z for place in scene.places for z in place.zones] + list(scene.centre)
    seen = [card for z in zones for card in (z.cards[-1:] if z.style == "stack" else z.cards)]
    return {card.label for card in seen if card.face_up}


def text_width(text):
    return max(len(line) for line in text.split("\n"))


# Text


@scenes
@pytest.mark.parametrize("width", [24, 40, 80, 100, 200])
def test_no_line_of_text_is_longer_than_the_width(scene, width):
    text = ansi.draw(scene, colour=False, width=width)
    assert text_width(text) <= width
    assert "\x1b" not in text
    assert not any(line != line.rstrip() for line in text.split("\n"))


@scenes
@pytest.mark.parametrize("width", [80, None])
def test_text_contains_every_label_and_name(scene, width):
    text = ansi.draw(scene, colour=False, width=width)
    for place in scene.places:
        assert place.name in text and place.note in text
        assert all(z.name in text for z in place.zones)
    for label in shown_labels(scene) | {z.name for z in scene.centre} | set(scene.lines) | {scene.title}:
        assert label in text, label
    for _, _, label, _ in scene.grid.tokens if scene.grid else ():
        assert label in text


@scenes
def test_colour_adds_nothing_but_codes(scene):
    coloured = ansi.draw(scene, colour=True)
    assert ESCAPE.sub("", coloured) == ansi.draw(scene, colour=False)
    assert ("\x1b[" in coloured) == bool(scene.places)
    opened = [code for code in ESCAPE.findall(coloured) if code != "\x1b[0m"]
    assert coloured.count("\x1b[0m") == len(opened), "a style that is left on would colour the terminal"
    assert all(line.count("\x1b[0m") * 2 == line.count("\x1b[") for line in coloured.split("\n"))


def test_the_same_scene_is_the_same_text_whatever_the_terminal(monkeypatch):
    text = ansi.draw(SCENES["four"])
    monkeypatch.setenv("COLUMNS", "33")
    monkeypatch.setenv("NO_COLOR", "1")
    assert ansi.draw(SCENES["four"]) == text
    assert ansi.draw(SCENES["four"], width=ansi.DEFAULT_WIDTH) == text


@pytest.mark.parametrize("num_players", [2, 4, 25])
def test_text_marks_the_active_place_and_nobody_else(num_players):
    for seat in range(min(num_players, 4)):
        text = ansi.draw(poo_head(num_players, active=seat), colour=False)
        assert re.findall(r"▶ (\S+) ◀", text) == [f"player_{seat}"]


def test_text_puts_the_viewer_below_and_the_others_clockwise():
    for num_players in (4, 6, 25):
        text = ansi.draw(poo_head(num_players), colour=False, width=100).rsplit("\n\n", 1)[0]
        found = [int(n) for n in re.findall(r"player_(\d+)", text)]
        assert found == [*range(1, num_players), 0]


@pytest.mark.parametrize("num_players", [3, 9])
def test_a_long_note_is_broken_into_rows_not_cut(num_players):
    note = "known: " + " ".join(str(i) for i in range(100, 125))
    scene = poo_head(num_players)
    scene = replace(scene, places=tuple(replace(place, note=note, out=False) for place in scene.places))
    for width in (50, 80, 100):
        text = ansi.draw(scene, colour=False, width=width)
        assert text_width(text) <= width
        for word in note.split():
            assert len(re.findall(rf"\b{word}", text)) == num_players, (word, width)


def test_a_card_is_a_box_and_a_stack_says_its_number():
    text = ansi.draw(SCENES["two"], colour=False)
    assert "│ 3 │ │ 7 │ │ poo head │" in text
    assert "│ 3 │ 3 │ 6 │ 9 │" in text
    assert "draw pile (12)" in text and "burnt (5)" in text
    assert "│░░░│" in text


def test_text_too_narrow_is_refused():
    with pytest.raises(ValueError, match="width is 23; allowed are 24"):
        ansi.draw(SCENES["two"], width=23)


def test_names_and_labels_cannot_move_the_cursor():
    nasty = "a\x1b[2Jb\nc\rd\te\u202ef"
    hand = Zone(nasty, (Card(nasty), Card("漢字カード"), Card("e\u0301"), Card("[")))
    scene = Scene(
        nasty, (Place(nasty, (hand,), note=nasty), Place(nasty, (hand,)), Place("]", (hand,))), (hand,), (nasty,)
    )
    for width in (24, 31, 80):
        text = ansi.draw(scene, colour=False, width=width)
        assert not set(text) & set("\x1b\r\t\u202e")
        for line in text.split("\n"):
            assert sum(2 if "\u3000" <= c <= "\u9fff" else c != "\u0301" for c in line) <= width


def test_a_room_shows_where_tokens_are():
    lines = ansi.draw(SCENES["room"], colour=False).split("\n")
    walls = [line.strip() for line in lines if line.strip().startswith("║")]
    assert len(walls) == 11
    cells = [re.findall(r"\S", line.strip("║")) for line in walls]
    assert all(len(row) == 11 for row in cells)
    assert cells[0][5] == "P" and cells[3][2] == "0" and cells[4][4] == "*"


# Pixels


@scenes
def test_pixels_have_the_size_asked_for_and_are_the_same_each_time(scene):
    frame = rgb.draw(scene)
    assert frame.shape == (640, 960, 3) and frame.dtype == np.uint8
    assert frame.std() > 10
    again = rgb.draw(copy.deepcopy(scene))
    assert np.array_equal(frame, again)
    frame[:] = 0  # the caller may write into its frame
    assert np.array_equal(rgb.draw(scene), again)


def test_pixels_are_the_same_in_another_process():
    code = (
        "import hashlib; from test_render import SCENES, rgb;"
        "print([hashlib.sha256(rgb.draw(SCENES[n]).tobytes()).hexdigest() for n in ('four', 'ten', 'room')])"
    )
    here = os.path.dirname(__file__)
    runs = {subprocess.run([sys.executable, "-c", code], cwd=here, capture_output=True, text=True, check=True).stdout
            for _ in range(2)}  # fmt: skip
    assert len(runs) == 1


@scenes
@pytest.mark.parametrize("size", [(1, 1), (7, 300), (300, 7), (64, 48), (240, 160), (500, 900), (1280, 720)])
def test_any_size_can_be_drawn(scene, size):
    frame = rgb.draw(scene, *size)
    assert frame.shape == (size[1], size[0], 3) and frame.dtype == np.uint8


@pytest.mark.parametrize("size", [(0, 10), (10, 0), (-5, 5)])
def test_no_size_is_refused(size):
    with pytest.raises(ValueError, match="width and height"):
        rgb.draw(SCENES["two"], *size)


@pytest.mark.parametrize("num_players", [1, 2, 3, 4, 5, 6, 7, 10, 16, 25])
def test_pixels_show_who_is_to_act(num_players):
    frames = [rgb.draw(poo_head(num_players, active=seat)) for seat in (-1, *range(num_players))]
    gold = [np.all(np.abs(frame.astype(int) - rgb.GOLD) < 12, axis=2).sum() for frame in frames]
    assert min(gold[1:]) > gold[0] + 150
    assert len({frame.tobytes() for frame in frames}) == len(frames)


def test_the_next_player_sits_to_the_left():
    """Clockwise as seen from above: left of the viewer, then across, then right."""
    boxes = []
    for seat in range(4):
        changed = rgb.draw(poo_head(4, active=seat)) != rgb.draw(poo_head(4, active=-1))
        y, x = np.nonzero(changed.any(axis=2))
        boxes.append((x.mean() / 960, y.mean() / 640))
    viewer, left, top, right = boxes
    assert viewer[1] > 0.75 and top[1] < 0.25
    assert left[0] < 0.25 and right[0] > 0.75
    assert 0.4 < viewer[0] < 0.6 and 0.4 < top[0] < 0.6


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 9, 15, 24, 40])
def test_slots_do_not_overlap_and_stay_inside(count):
    area = (10.0, 20.0, 950.0, 580.0)
    slots = rgb._slots(count, area)
    assert len(slots) == count
    for i, (left, top, right, bottom) in enumerate(slots):
        assert area[0] - 1e-6 <= left < right <= area[2] + 1e-6 and area[1] <= top < bottom <= area[3] + 1e-6
        for other in slots[i + 1 :]:
            apart = (
                right <= other[0] + 1e-6
                or other[2] <= left + 1e-6
                or bottom <= other[1] + 1e-6
                or other[3] <= top + 1e-6
            )
            assert apart, (slots[i], other)


def test_what_lies_open_changes_the_picture():
    scene = SCENES["four"]
    frame = rgb.draw(scene)
    for change in (
        {"title": "Other"},
        {"lines": ("something else",)},
        {"centre": (zone("draw pile", *[None] * 11, style="stack"), *scene.centre[1:])},
        {"places": (replace(scene.places[0], zones=(zone("hand", "3", "8", "poo head"),)), *scene.places[1:])},
        {"places": (replace(scene.places[0], note="4 points"), *scene.places[1:])},
        {"places": (replace(scene.places[0], out=True), *scene.places[1:])},
    ):
        assert not np.array_equal(rgb.draw(replace(scene, **change)), frame), change


def test_every_colour_has_its_own_look_on_faces_and_backs():
    for face_up in (True, False):
        looks = set()
        for colour in COLOURS:
            scene = Scene("", (Place("p", (Zone("hand", (Card("7", colour, face_up),)),)),), ())
            looks.add(rgb.draw(scene).tobytes())
            assert "7" in ansi.draw(scene) or not face_up
        assert len(looks) == len(COLOURS)
    assert set(cards.SHADES) == set(COLOURS) <= set(ansi.CODES)


def test_pictograms_are_found_by_the_last_words():
    assert cards.pictogram("poo head") is cards.pictogram("Poo Head") is not None
    assert cards.pictogram("red skip") is cards.pictogram("skip") is not None
    assert cards.pictogram("bomb") is not cards.pictogram("poo head")
    assert cards.pictogram("7") is cards.pictogram("head") is cards.pictogram("") is None


# Leaks


@pytest.mark.parametrize("label", ["3", "poo head", "bomb", "yellow wild whistle", "a" * 300, "漢字"])
@pytest.mark.parametrize("style", ["row", "fan", "stack"])
def test_a_hidden_label_changes_neither_picture_nor_text(label, style):
    def scene(text):
        hidden = tuple(Card(text, "red", face_up=False, turned=i % 2 == 1, count=1 + i % 3) for i in range(4))
        z = Zone("hand", hidden, style)
        many = tuple(Place(f"player_{i}", (z,), active=i == 1) for i in range(1, 8))
        return Scene("Table", (Place("player_0", (z,)), *many), (z,)), Scene(
            "Table", (Place("player_0", (z,)), many[0]), (z,)
        )

    for hidden, plain in zip(scene(label), scene(""), strict=True):
        assert np.array_equal(rgb.draw(hidden), rgb.draw(plain))
        for colour in (True, False):
            assert ansi.draw(hidden, colour) == ansi.draw(plain, colour)


def test_what_lies_below_the_top_of_a_stack_is_not_shown():
    for draw in (lambda s: rgb.draw(s).tobytes(), ansi.draw):
        stacks = [Scene("", (), (zone("pile", label, label, "9", style="stack"),)) for label in ("3", "bomb")]
        assert draw(stacks[0]) == draw(stacks[1])


# Extremes


@pytest.mark.parametrize("style", ["row", "fan", "stack", "no such style"])
@pytest.mark.parametrize("count", [0, 1, 30, 300, 2000])
def test_any_number_of_cards_can_be_drawn(style, count):
    z = Zone("hand", tuple(Card(str(i % 11), count=1 + i % 2 * 999) for i in range(count)), style)
    scene = Scene("Many", tuple(Place(f"player_{i}", (z, z), i == 1) for i in range(3)), (z,))
    assert rgb.draw(scene).shape == (640, 960, 3)
    assert text_width(ansi.draw(scene, colour=False, width=60)) <= 60


def test_extreme_tables_can_be_drawn():
    many_zones = tuple(zone(f"zone {i}", "3", None) for i in range(60))
    crowd = tuple(Place(f"player_{i}", (zone("hand", None),), note="n" * 200) for i in range(120))
    long = "word " * 3000
    for scene in (
        Scene("Zones", (Place("a", many_zones), Place("b", many_zones)), many_zones),
        Scene("Crowd", crowd, ()),
        Scene(long, (Place(long, (zone(long, long),), note=long), Place(long, ())), (), (long, "x" * 5000) * 9),
        Scene("Nothing", (Place("", (zone("", ""),)), Place("", ())), (zone(""),), ("",)),
        Scene("Colours", (Place("a", (Zone("h", (Card("3", "no such colour"),)),)),), ()),
        Scene(
            "Small room", (Place("a", ()),), (), (), Grid(1, 1, tuple((0, 0, f"player_{i}", "red") for i in range(30)))
        ),
        Scene(
            "Large room", (Place("a", ()),), (zone("deck", "1"),), (), Grid(700, 300, ((699, 299, "x", "no colour"),))
        ),
        Scene("Outside", (Place("a", ()),), (), (), Grid(3, 3, ((7, -1, "player_1", "red"), (1, 1, "", "blue")))),
    ):
        assert rgb.draw(scene).shape == (640, 960, 3)
        assert text_width(ansi.draw(scene, colour=False)) <= 96


def test_a_frame_is_cheap():
    """Generous, since the machine may be busy: a frame takes about 30 ms, the first of a table a little more."""
    for name in ("four", "twenty-five"):
        rgb.draw(SCENES[name])
        times = []
        for _ in range(5):
            start = time.perf_counter()
            rgb.draw(SCENES[name])
            times.append(time.perf_counter() - start)
        assert min(times) < 0.3


def test_importing_the_drawing_room_loads_no_picture_library():
    code = (
        "import sys; from poopdeck.envs.render import ansi, rgb, window; from poopdeck.envs.core import scene;"
        "print([m for m in ('PIL', 'pygame', 'rich') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


# Window


FRAME = (
    "from poopdeck.envs.render.window import Window; import numpy as np; Window().show(np.zeros((9, 9, 3), np.uint8))"
)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a screen")
def test_a_window_that_nobody_sees_is_told_of_unless_asked_for():
    """Checkers make every render mode also where there is no screen; CartPole's window is drawn unseen there, too."""
    pytest.importorskip("pygame")
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "SDL_VIDEO_DRIVER")
    bare = {name: value for name, value in os.environ.items() if name not in screens}
    run = subprocess.run([sys.executable, "-c", FRAME], env=bare, capture_output=True, text=True)
    assert run.returncode == 0 and run.stdout == "" and "found no screen" in run.stderr
    for driver in ("dummy", "offscreen"):
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", FRAME], env={**bare, "SDL_VIDEODRIVER": driver}, capture_output=True
        )
        assert run.returncode == 0 and run.stdout == b"", "no greeting either"


CHECK = """
import gymnasium, poopdeck
from gymnasium.utils.env_checker import check_env
for name in poopdeck.games():
    check_env(gymnasium.make(f"poopdeck/{name}-v0", opponents="random").unwrapped)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a screen")
def test_gymnasiums_checker_passes_in_every_render_mode_without_a_screen():
    pytest.importorskip("pygame")
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "SDL_VIDEO_DRIVER")
    bare = {name: value for name, value in os.environ.items() if name not in screens}
    run = subprocess.run([sys.executable, "-c", CHECK], env=bare, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@pytest.fixture
def screen(monkeypatch):
    """A screen that nobody sees."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame = pytest.importorskip("pygame")
    yield pygame
    pygame.quit()


def pixels(pygame):
    return pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)


def test_a_window_shows_the_frame_and_closes_twice(screen):
    window = Window("Poo Head")
    frame = rgb.draw(SCENES["four"])
    window.show(frame)
    assert np.array_equal(pixels(screen), frame)
    assert screen.display.get_caption()[0] == "Poo Head"
    small = rgb.draw(SCENES["two"], 320, 200)
    window.show(small)
    assert np.array_equal(pixels(screen), small)
    window.pump()
    window.close()
    window.close()
    window.pump()
    window.show(frame)
    assert window.closed and not screen.display.get_init()


@pytest.mark.parametrize("how", ["cross", "escape", "q"])
def test_a_person_can_close_the_window_and_the_game_goes_on(screen, how):
    window = Window()
    frame = rgb.draw(SCENES["two"], 200, 150)
    window.show(frame)
    keys = {"escape": screen.K_ESCAPE, "q": screen.K_q}
    event = screen.event.Event(screen.QUIT) if how == "cross" else screen.event.Event(screen.KEYDOWN, key=keys[how])
    screen.event.post(event)
    window.show(frame)
    assert window.closed
    window.show(frame)
    assert not screen.display.get_init()


def test_windows_take_turns(screen):
    first, second = Window("first"), Window("second")
    frame = rgb.draw(SCENES["two"], 200, 150)
    first.show(frame)
    second.show(255 - frame)
    first.close()
    assert np.array_equal(pixels(screen), 255 - frame), "closing one window leaves the other alone"
    third = Window("third")
    third.show(frame)
    second.show(255 - frame)
    assert screen.display.get_caption()[0] == "second"
    assert np.array_equal(pixels(screen), 255 - frame)
    second.close()
    third.close()


def test_a_window_survives_pygame_being_shut_down(screen):
    window = Window()
    frame = rgb.draw(SCENES["two"], 200, 150)
    window.show(frame)
    screen.quit()
    window.pump()
    window.show(frame)
    assert np.array_equal(pixels(screen), frame)
    screen.quit()
    window.close()


def test_copies_of_a_window_are_windows_of_their_own(screen):
    window = Window("Poo Head", fps=1000)
    frame = rgb.draw(SCENES["two"], 200, 150)
    window.show(frame)
    for other in (copy.deepcopy(window), pickle.loads(pickle.dumps(window))):
        assert (other.title, other.fps, other.closed) == ("Poo Head", 1000, False)
        other.close()
    assert not window.closed and np.array_equal(pixels(screen), frame)
    window.close()


def test_frames_keep_their_time(screen):
    window = Window(fps=20)
    frame = rgb.draw(SCENES["two"], 64, 48)
    start = time.monotonic()
    for _ in range(4):
        window.show(frame)
    assert time.monotonic() - start >= 0.14
    window.close()


def test_wrong_frames_and_rates_are_refused():
    with pytest.raises(ValueError, match="frame is float64"):
        Window().show(np.zeros((4, 4, 3)))
    with pytest.raises(ValueError, match="frame is uint8"):
        Window().show(np.zeros((4, 4), np.uint8))
    with pytest.raises(ValueError, match="fps is 0"):
        Window(fps=0)


def test_without_pygame_the_error_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    window = Window()
    with pytest.raises(ImportError, match=r'pip install "poopdeck\[human\]"') as error:
        window.show(np.zeros((4, 4, 3), np.uint8))
    assert "ansi" in str(error.value) and "rgb_array" in str(error.value)
    window.close()


def test_without_a_screen_the_error_says_what_to_do(monkeypatch):
    pygame = pytest.importorskip("pygame")
    pygame.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "no_such_driver")
    window = Window()
    with pytest.raises(RuntimeError, match="found no screen") as error:
        window.show(np.zeros((4, 4, 3), np.uint8))
    assert "ansi" in str(error.value) and "rgb_array" in str(error.value)
    window.close()


@pytest.mark.parametrize("name", sorted(registry.BUILT_IN))
def test_plainer_pictures_are_as_wide_and_in_ascii(name):
    game = registry.game(name)
    text = ansi.draw(game.scene(game.new_state(3)), colour=False)
    plain = ansi.plainer(text)
    assert plain.isascii() and not text.isascii()
    assert [*map(len, plain.splitlines())] == [*map(len, text.splitlines())]
