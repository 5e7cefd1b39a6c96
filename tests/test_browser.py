"""The page in a real browser: whole games by clicks and by keys, several people, hints, replays, telephones."""

import pytest
from browser import chromium, served

import poopdeck
from poopdeck.web.lobby import PERSON

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
