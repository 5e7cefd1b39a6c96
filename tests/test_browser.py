"""The page in a real browser: whole games by clicks and by keys, several people, hints, replays, telephones.

The pictures of docs/web.md are made here: POOPDECK_SCREENSHOTS=docs/images pytest tests/test_browser.py -k picture
"""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from browser import chromium, served
from PIL import Image

import poopdeck
from poopdeck.envs.tables.context import ask_about
from poopdeck.training.storage.replay import read_replays
from poopdeck.web.lobby import PERSON

EXAMPLES = pathlib.Path(__file__).parents[1] / "docs" / "examples" / "web"
SHORT = {
    "poo_head": {"players": 2},
    "pooman": {"players": 2, "variant": "quiet"},
    "poop": {"players": 2},
    "too_many_poops": {"players": 2},
}
WAIT = 20_000  # ms


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def server():
    with served() as found:
        yield found


@pytest.fixture
def page(browser):
    """A page of its own; what it writes to its console as an error fails the test."""
    context = browser.new_context(viewport={"width": 1200, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.errors = []
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    yield page
    context.close()
    assert page.errors == []


def set_up(page, server, game, players=None, variant=None, seed=1, people=(), practice=True):
    """Opens a table by the start page, as a person would."""
    page.goto(server[0])
    page.click(f"button[data-game={game}]")
    if players is not None:
        page.fill("#players", str(players))
        page.dispatch_event("#players", "change")
    if variant is not None:
        page.select_option("#variant", variant)
    page.fill("#seed", str(seed))
    for seat in people:
        page.select_option(f"#seats label:nth-child({seat + 1}) select", PERSON)
    if not people and not practice:
        page.uncheck("#practice")
    page.click("#setup button[type=submit]")


def until_asked(page):
    """Waits for a choice; False when the game is over."""
    page.wait_for_function("() => document.querySelector('#actions button') || (state.position && state.position.over)")
    return page.locator("#actions button").count() > 0


def turn(page):
    return page.evaluate("state.position ? state.position.turn : 0")


def moved(page, before):
    page.wait_for_function(f"() => state.position.turn > {before} || document.getElementById('error').textContent")
    assert page.text_content("#error") == ""


def click_once(page, number):
    """A choice by a click on a card where one is lit up, else on the choice's button; which one changes."""
    before = turn(page)
    cards = page.locator("button.card")
    if number % 2 == 0 and cards.count():
        cards.nth(number % cards.count()).click()
        if turn(page) == before and page.locator("#actions button:focus").count():
            page.keyboard.press("Enter")  # a card with several choices leads to the first of them
    else:
        buttons = page.locator("#actions button")
        buttons.nth(number % buttons.count()).click()
    moved(page, before)


@pytest.mark.parametrize("game", poopdeck.games())
def test_a_whole_game_by_clicks(page, server, game):
    set_up(page, server, game, **SHORT[game])
    clicks = 0
    while until_asked(page):
        click_once(page, clicks)
        clicks += 1
    assert clicks >= 2
    assert "The game is over" in page.text_content("#choices-title")
    page.click("#review")
    page.wait_for_selector("#steps:not([hidden])")
    page.click("#last")
    assert page.text_content("#step-text").startswith(page.evaluate("String(state.frames.length)"))


def press_once(page, number):
    """A choice by keys alone: a number, or arrows and Enter."""
    before, count = turn(page), page.locator("#actions button").count()
    if number % 2 == 0:
        page.keyboard.press(str(1 + number % min(count, 9)))
    else:
        page.evaluate("document.activeElement.blur()")
        for _ in range(1 + number % count):
            page.keyboard.press("ArrowRight")
        assert page.locator("#actions button:focus").count() == 1
        page.keyboard.press("Enter")
    moved(page, before)


@pytest.mark.parametrize("game", poopdeck.games())
def test_a_whole_game_by_keys(page, server, game):
    set_up(page, server, game, seed=2, **SHORT[game])
    pressed = 0
    while until_asked(page):
        press_once(page, pressed)
        pressed += 1
    assert pressed >= 2 and "The game is over" in page.text_content("#choices-title")


def test_hints_and_moves_taken_back(page, server):
    set_up(page, server, "poop", players=2)
    assert until_asked(page)
    names = page.locator("#actions button").all_text_contents()
    page.keyboard.press("?")
    page.wait_for_function("() => document.getElementById('advice').textContent.includes('heuristic would')")
    assert page.locator("#actions button.advised").count() == 1
    page.select_option("#hint-agent", "search")
    page.click("#hint")
    page.wait_for_function("() => document.getElementById('advice').textContent.includes('search')")
    assert "worth" in page.text_content("#advice")
    click_once(page, 1)
    assert until_asked(page)
    before = turn(page)
    page.keyboard.press("u")
    moved(page, before)
    assert page.locator("#actions button").all_text_contents() == names


def test_two_browsers_at_one_table_and_coming_back_in_mid_game(browser, page, server):
    set_up(page, server, "poop", players=2, people=(1,))
    page.wait_for_selector("#seat-links a")
    links = [link.get_attribute("href") for link in page.locator("#seat-links a").all()]
    assert len(links) == 2
    context = browser.new_context()
    other = context.new_page()
    other.set_default_timeout(WAIT)
    page.goto(server[0] + links[0])
    other.goto(server[0] + links[1])
    for one in (page, other):
        one.wait_for_function("() => state.position")
    assert "you are player_0" in page.text_content("#title")
    assert "you are player_1" in other.text_content("#title")
    # a hand is seen by whoever holds it alone
    assert page.locator("#others .card:not(.back)").count() == 0 == other.locator("#others .card:not(.back)").count()
    moves = 0
    while not page.evaluate("state.position.over") and moves < 200:
        mover = next((one for one in (page, other) if one.locator("#actions button").count()), None)
        if mover is None:
            page.wait_for_timeout(20)
            continue
        click_once(mover, 1)
        moves += 1
        if moves == 3:
            hand = other.locator("#own .card").all_text_contents()
            other.reload()
            other.wait_for_function("() => state.position")
            assert other.locator("#own .card").all_text_contents() == hand
        if moves == 5:  # the connection breaks; the page comes back by itself
            broken = other.evaluate_handle("state.socket")
            other.evaluate("state.socket.close()")
            other.wait_for_function("old => state.socket !== old && state.position", arg=broken)
    other.wait_for_function("() => state.position.over")
    context.close()


def test_a_saved_game_is_shown_again(page, server, tmp_path):
    set_up(page, server, "poop", players=2)
    while until_asked(page):
        click_once(page, 1)
    page.click("#review")
    with page.expect_download() as download:
        page.click("#save")
    path = tmp_path / "game.jsonl"
    download.value.save_as(path)
    read_replays(path)[0].verify()
    page.click("#home")
    page.set_input_files("#load", path)
    page.wait_for_selector("#steps:not([hidden])")
    assert page.locator(".card.back").count() <= page.locator("#centre .card.back").count()  # all hands are open
    page.keyboard.press("ArrowRight")
    assert page.text_content("#step-text").startswith("2 of")
    path.write_text(path.read_text().replace('"action": ', '"action": 9'))
    page.click("#home")
    page.errors.clear()
    page.set_input_files("#load", path)
    page.wait_for_function("() => document.getElementById('error').textContent.includes('is not legal')")
    assert "line 2" in page.text_content("#error")
    page.errors[:] = [error for error in page.errors if "400" not in error]  # the browser notes the refusal itself


def test_the_command_shows_a_saved_game_on_a_page(page, tmp_path):
    """The second game of a file, served by ``poopdeck replay --browser``."""
    path = tmp_path / "games.jsonl"
    evaluate = ["evaluate", "random", "--against", "random", "--game", "poop", "--players", "3", "--games", "6"]
    subprocess.run([sys.executable, "-m", "poopdeck", *evaluate, "--save", path, "--every", "2"], check=True)
    wanted = len(read_replays(path)[1].actions) + 1
    command = [sys.executable, "-u", "-m", "poopdeck", "replay", path, "--number", "2", "--browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            address = next(word for word in process.stdout.readline().split() if word.startswith("http"))
            page.goto(address)
            page.wait_for_selector("#steps:not([hidden])")
            assert page.text_content("#step-text").startswith(f"1 of {wanted}")
        finally:
            process.terminate()


@pytest.mark.parametrize("game", poopdeck.games())
def test_it_fits_a_telephone(browser, server, game):
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.goto(server[0])
    page.wait_for_selector("button[data-game]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.tap(f"button[data-game={game}]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.tap("#setup button[type=submit]")
    for _ in range(3):
        if not until_asked(page):
            break
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        before = turn(page)
        button = page.locator("#actions button").first
        assert button.bounding_box()["height"] >= 40  # a finger's breadth
        button.tap()
        moved(page, before)
    context.close()


@pytest.mark.parametrize("game", poopdeck.games())
def test_axe_finds_nothing_serious(page, server, game):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed (extra dev)").Axe()

    def serious():
        found = axe.run(page).response["violations"]
        return [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")]

    page.goto(server[0])
    page.wait_for_selector("button[data-game]")
    assert serious() == []
    set_up(page, server, game)
    assert until_asked(page)
    click_once(page, 1)
    assert until_asked(page)
    page.wait_for_timeout(300)  # until what is animated has its colours
    assert serious() == []


@pytest.mark.parametrize("game", poopdeck.games())
def test_the_picture_of_a_table(page, server, game, tmp_path):
    page.set_viewport_size({"width": 1000, "height": 900})
    set_up(page, server, game, seed=4)
    for number in range(4):
        assert until_asked(page)
        click_once(page, 2 * number + 1)
    page.wait_for_timeout(400)  # until the cards lie where they belong
    folder = pathlib.Path(os.environ.get("POOPDECK_SCREENSHOTS", tmp_path))
    path = folder / f"web_{game}.png"
    page.screenshot(path=path)
    with Image.open(path) as picture:
        assert picture.size == (1000, 900) and len(picture.convert("RGB").getcolors(10**6)) > 20
        if "POOPDECK_SCREENSHOTS" in os.environ:
            picture.quantize(128).save(path, optimize=True)


def position(path):
    """A position in a file, and what the heuristic does there."""
    game = poopdeck.game("poop")
    state = game.new_state(3, 2)
    path.write_text(json.dumps(game.dump(state)))
    agent = poopdeck.load_agent("heuristic", "poop", 2)
    return game.action_name(ask_about(agent, game, state, np.random.default_rng(0), True), state)


def test_the_example_in_python_asks_an_agent(server, tmp_path):
    name = position(tmp_path / "position.json")
    command = [sys.executable, EXAMPLES / "ask_agent.py", server[0], "poop", "heuristic", tmp_path / "position.json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"heuristic at seat 0: {name}" in done.stdout and f"{name}: 1.0" in done.stdout
    (tmp_path / "position.json").write_text('{"hands": 5}')
    assert "hands" in subprocess.run(command, capture_output=True, text=True).stderr


def test_the_example_in_javascript_asks_an_agent(page, server, tmp_path):
    """In the browser, which is there where Node is not."""
    name = position(tmp_path / "position.json")
    page.goto(server[0])
    page.evaluate((EXAMPLES / "ask_agent.js").read_text() + "; window.askAgent = askAgent; null")
    scenario = json.loads((tmp_path / "position.json").read_text())
    found = page.evaluate("(scenario) => askAgent(location.origin, 'poop', 'heuristic', scenario)", scenario)
    assert found["name"] == name and found["agent"] == "heuristic"
