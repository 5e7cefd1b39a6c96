"""Language models at the table: what they are told, how they are read, what comes of bad answers."""

import json
import re

import numpy as np
import pytest
from rules_text import rules_text
from typer.testing import CliRunner

import poopdeck
from poopdeck.agents.language import answers
from poopdeck.agents.language.agent import FORFEIT, LanguageAgent
from poopdeck.agents.language.answers import read_answer
from poopdeck.agents.language.rules import RULES, system_text
from poopdeck.agents.language.told import changes_text, decision_text
from poopdeck.agents.loading import load_agent
from poopdeck.agents.random import RandomAgent
from poopdeck.cli import app
from poopdeck.envs.core import registry
from poopdeck.envs.tables.context import ask_about
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.evaluation.tournament import Entry, make_plan, run_tournament

GAMES = sorted(registry.BUILT_IN)
POO_HEAD = poopdeck.game("poo_head")
NAMES = POO_HEAD.spec.action_names(POO_HEAD.spec.settings())
LEGAL = [8, 12, 16]  # play 2, play 3, play 4


def listed(text):
    """Numbers and names of the legal actions in a prompt, in the last list of it."""
    return re.findall(r"^(\d+): (.+)$", text.rpartition("Your legal actions")[2], re.M)


def first(text):
    """A model that plays the first legal action."""
    return f"action: {listed(text)[0][1]}"


# -- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "play 3", "Play 3", "PLAY 3.", "[play 3]", "`play 3`", "**play 3**", '"play-3"', "play_3", "play3", "12", "#12",
        "12: play 3", "12 (play 3)", "I play 3", "I choose to play 3", "I'll play 3!", "action: play 3", "Action = 12",
        "**Action:** play 3", "My action is: play 3", "Let me think about 4 and 5.\n\nFinal answer: play 3\n",
        "The best is [play 3], I am sure", "paly 3", "action: play 3\nAction: PLAY 3",
    ],
)  # fmt: skip
def test_one_action_is_read_however_it_is_spelt(text):
    assert read_answer(text, NAMES, LEGAL) == answers.Reading(answers.READ, 12)


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        (None, answers.SILENT, "empty"),
        (" \n", answers.SILENT, "empty"),
        ("I think play 3 is good, but play 4 is better", answers.UNREADABLE, "no action of this game"),
        ("Since a 4 binds I would rather play 3 than wait.", answers.UNREADABLE, "no action of this game"),
        ("action: play 3\naction: play 4", answers.SEVERAL, "'play 3', 'play 4'"),
        ("[play 3] or [play 4]", answers.SEVERAL, "several"),
        ("action: play 3\naction: whatever", answers.SEVERAL, "several"),
        ("play 2 play 3", answers.UNREADABLE, "no action"),
        ("pick up", answers.ILLEGAL, r"46 \(pick up\) is not legal now"),
        ("13", answers.ILLEGAL, "not legal"),
        ("play 13", answers.UNREADABLE, "no action"),
        ("play", answers.UNREADABLE, "no action"),
        ("999", answers.UNREADABLE, "no action"),
        ("12: play 4", answers.UNREADABLE, "no action"),
    ],
)
def test_what_is_not_exactly_one_legal_action_is_refused_with_what_is_allowed(text, kind, says):
    reading = read_answer(text, NAMES, LEGAL)
    assert reading.kind == kind and reading.action is None
    assert re.search(says, reading.problem) and "legal now: 8 (play 2), 12 (play 3), 16 (play 4)" in reading.problem


@pytest.mark.parametrize("name", GAMES)
def test_every_action_is_read_by_its_number_and_its_name_and_never_as_another(name):
    spec = registry.spec(name)
    for variant in spec.variants.values():
        names = spec.action_names(spec.settings(**variant))
        every = range(len(names))
        for action in every:
            for text in (names[action], names[action].upper(), f"[{names[action]}]", str(action)):
                assert read_answer(text, names, every).action == action
            others = [other for other in every if other != action]
            assert read_answer(names[action], names, others).kind == answers.ILLEGAL


# -- what is told ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_are_those_of_the_page(name):
    page = RULES.parents[2] / "docs" / "games" / f"{name}.md"
    text = (RULES / f"{name}.txt").read_text(encoding="utf-8")
    assert text == rules_text(page.read_text(encoding="utf-8")), "python docs/make/pages.py writes it anew"
    rules = re.findall(r"^- \*\*([A-Z]+-\d+)\*\*", page.read_text(encoding="utf-8"), re.M)
    assert re.findall(r"^([A-Z]+-\d+):", text, re.M) == rules and "**" not in text


def test_the_system_text_has_the_rules_in_force_the_parameters_and_the_form():
    game = poopdeck.game("poop")
    classic, blind = (system_text(game, game.spec.settings(variant=name)) for name in ("classic", "blind_pooper"))
    assert "PG-20:" in blind and "PG-20:" not in classic and "PG-3:" in blind
    assert "variant=blind_pooper" in blind and "num_players=4" in blind and "action: NAME" in blind
    sizes = [len(system_text(game, game.spec.settings(), rules)) for rules in ("none", "short", "full")]
    assert sizes == sorted(sizes) and sizes[0] < sizes[1] < sizes[2]


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_cannot_know_changes_no_word(name):
    """Every text of a game is the same in whatever position the seat cannot tell from the true one."""
    game = poopdeck.game(name)
    history = {"history": 4} if any(option.name == "history" for option in game.spec.options) else {}
    rng = np.random.default_rng(3)
    for seed in range(3):
        s = game.new_state(seed, **history)
        while not game.is_terminal(s):
            seat = game.current_player(s)
            told = decision_text(game, s, seat)
            for other in range(2):
                assert decision_text(game, game.resample(s, seat, other), seat) == told
            game.apply_action(s, rng.choice(game.legal_actions(s)))


def test_a_model_gets_what_its_seat_knows_and_not_the_true_cards():
    """Two tables that differ in hidden cards alone are told alike."""
    prompts = []
    agent = LanguageAgent(lambda text: prompts.append(text) or first(text))
    s = POO_HEAD.new_state(4, num_players=3)
    seat = POO_HEAD.current_player(s)
    for state in (s, *(POO_HEAD.resample(s, seat, other) for other in range(3))):
        ask_about(agent, POO_HEAD, state, np.random.default_rng(0), new_game=True)
    assert len(prompts) == 4 and len(set(prompts)) == 1
    assert f"You are seat {seat}" in prompts[0] and "PH-5:" in prompts[0]


def test_only_lines_that_changed_are_told_again():
    assert changes_text("a\nb\nc", "a\nB\nc\nd") == "B\nd"
    assert "nothing" in changes_text("a", "a")


def played(agent, seed=1, game=POO_HEAD, **options):
    """Plays one game of the agent (seat 0) against random; what it was asked at each decision."""
    s, new, rng = game.new_state(seed, **options), True, np.random.default_rng(seed)
    while not game.is_terminal(s):
        if game.current_player(s) == 0:
            action = ask_about(agent, game, s, rng, new)
            new = False
        else:
            action = int(rng.choice(game.legal_actions(s)))
        game.apply_action(s, action)


def test_a_conversation_goes_on_through_a_game_and_begins_anew_with_the_next():
    prompts = []
    agent = LanguageAgent(lambda text: prompts.append(text) or first(text), told="changes")
    played(agent, num_players=2)
    once = len(prompts)
    assert once > 3
    for before, now in zip(prompts, prompts[1:], strict=False):
        assert now.startswith(before) and "this has changed" in now[len(before) :]
        assert "PH-5:" not in now[len(before) :] and now[len(before) :].count("You answered:") == 1
    played(agent, num_players=2)
    assert prompts[once] == prompts[0]  # the same deal, and nothing of the first game


def test_what_the_others_did_is_told_where_the_game_keeps_its_events():
    prompts = []
    agent = LanguageAgent(lambda text: prompts.append(text) or first(text), told="changes", rules="none")
    played(agent, num_players=3, history=12)
    assert any(re.search(r"What the others did.*:\nseat [12]: play", text) for text in prompts)
    assert not any(re.search(r"What the others did[^\n]*\n(seat.*\n)*seat 0:", text) for text in prompts)


# -- bad answers -----------------------------------------------------------------------------------------------------


def rambling(text):
    return "Well, play 3 looks fine, although one could also play 4."


def twice(text):
    return "action: play 3\naction: play 4"


@pytest.mark.parametrize(
    ("model", "kind"),
    [(rambling, "unreadable"), (twice, "several"), (lambda text: "", "silent"), (lambda text: None, "silent")],
)
def test_a_model_that_cannot_be_read_forfeits_after_its_retries_and_all_is_counted(model, kind):
    agent = LanguageAgent(model, "model", retries=2)
    settings = POO_HEAD.spec.settings(2)
    result = evaluate(POO_HEAD, settings, agent, [RandomAgent()], games=6, threads=1)
    assert result.illegal_actions == 6 and result.opponents_illegal_actions == 0 and result.mean_payoff == -1
    assert agent.counts["forfeits"] == 6 and agent.counts["asked"] == 18 == agent.counts[kind]
    assert agent.counts["read"] == 0


def test_an_illegal_answer_is_never_replaced_and_the_next_try_is_told_why():
    prompts = []

    def model(text):
        prompts.append(text)
        return "pick up" if "could not be played" not in text else first(text)

    agent = LanguageAgent(model, retries=1)
    s = POO_HEAD.new_state(4, num_players=2)
    legal = POO_HEAD.legal_actions(s)
    action = ask_about(agent, POO_HEAD, s, np.random.default_rng(0), True)
    assert action == legal[0] and len(prompts) == 2
    assert "46 (pick up) is not legal now; legal now: " in prompts[1] and prompts[1].startswith(prompts[0])
    assert {key: agent.counts[key] for key in ("illegal", "read", "forfeits")} == {
        "illegal": 1,
        "read": 1,
        "forfeits": 0,
    }
    strict = LanguageAgent(lambda text: "pick up", retries=0)
    assert ask_about(strict, POO_HEAD, s, np.random.default_rng(0), True) == FORFEIT


def test_a_fault_of_the_callable_is_no_forfeit():
    def broken(text):
        raise ConnectionError("no network")

    s = POO_HEAD.new_state(4)
    with pytest.raises(ConnectionError, match="no network"):
        ask_about(LanguageAgent(broken), POO_HEAD, s, np.random.default_rng(0), True)
    with pytest.raises(TypeError, match="agent number: the callable gave int, a text is wanted"):
        ask_about(LanguageAgent(lambda text: 3, "number"), POO_HEAD, s, np.random.default_rng(0), True)


def test_forced_moves_are_asked_only_if_wanted():
    s = POO_HEAD.new_state(0, num_players=2)
    while len(POO_HEAD.legal_actions(s)) > 1:
        POO_HEAD.apply_action(s, POO_HEAD.legal_actions(s)[0])
    for forced, asked in ((False, 0), (True, 1)):
        agent = LanguageAgent(first, forced=forced)
        assert ask_about(agent, POO_HEAD, s, np.random.default_rng(0), True) == POO_HEAD.legal_actions(s)[0]
        assert agent.counts["asked"] == asked and agent.counts["decisions"] == 1


# -- evaluations, tournaments, transcripts, commands -----------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("told", ["full", "changes"])
def test_a_model_plays_whole_games_of_every_game(name, told):
    game = poopdeck.game(name)
    agent = LanguageAgent(first, told=told, at_once=2)
    result = evaluate(game, game.spec.settings(3), agent, [RandomAgent()], games=2, threads=1)
    assert result.illegal_actions == 0 and agent.counts["asked"] == agent.counts["read"] > 3


def test_a_model_plays_the_same_whether_asked_one_by_one_or_at_once(tmp_path):
    found = []
    for at_once in (1, 4):
        path = tmp_path / f"{at_once}.jsonl"
        agent = LanguageAgent(first, at_once=at_once, transcripts=path)
        evaluate(POO_HEAD, POO_HEAD.spec.settings(2), agent, [RandomAgent()], games=8, threads=1)
        found.append(path.read_text(encoding="utf-8"))
    assert found[0] == found[1]


def test_a_tournament_takes_a_model_beside_other_agents(tmp_path):
    settings = POO_HEAD.spec.settings(2)
    agents = {"model": LanguageAgent(first, "model"), "silent": LanguageAgent(lambda text: ""), "random": RandomAgent()}
    entries = [Entry(label, agent, label) for label, agent in agents.items()]
    result = run_tournament(make_plan(POO_HEAD, settings, entries, games=12), tmp_path / "out", threads=1)
    rows = {row["agent"]: row for row in result.content["standings"]}
    assert rows["silent"]["illegal_actions"] == agents["silent"].counts["forfeits"] > 0
    assert rows["model"]["illegal_actions"] == 0


def test_transcripts_have_every_word_and_are_never_written_over(tmp_path):
    path = tmp_path / "new" / "talk.jsonl"
    answers_of = iter(["hm", "pick up", ""])
    agent = LanguageAgent(lambda text: next(answers_of, None) or first(text), "model", transcripts=path, forced=True)
    evaluate(POO_HEAD, POO_HEAD.spec.settings(2), agent, [RandomAgent()], games=2, threads=1)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert lines[0] == {"system": system_text(POO_HEAD, POO_HEAD.spec.settings(2))}
    decisions = lines[1:]
    assert len(decisions) == agent.counts["decisions"]
    assert [one["reading"] for one in decisions[0]["exchanges"]] == ["unreadable", "illegal", "read"]
    assert {one["game"] for one in decisions} == {1, 2} and sum(one["new_game"] for one in decisions) == 2
    assert all(one["name"] == NAMES[one["action"]] and "Your legal actions" in one["told"] for one in decisions)
    with pytest.raises(ValueError, match="there already"):
        LanguageAgent(first, transcripts=path)


def test_commands_take_a_function_by_its_name(tmp_path, monkeypatch):
    (tmp_path / "my_client.py").write_text("def ask(text):\n    return ''\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    settings = POO_HEAD.spec.settings(2)
    agent = load_agent("language:my_client.ask,retries=0,told=changes,forced=yes", POO_HEAD, settings)
    assert (agent.name, agent.retries, agent.told, agent.forced) == ("my_client.ask", 0, "changes", True)
    for text, says in {
        "language:my_client": "MODULE.FUNCTION",
        "language:nowhere.ask": "no module 'nowhere'",
        "language:my_client.answer": "no function 'answer'",
        "language:my_client.ask,retry=3": "did you mean 'retries'",
        "language:my_client.ask,retries=many": "retries=many cannot be read",
        "language:my_client.ask,forced=maybe": "forced=maybe cannot be read",
        "language:my_client.ask,told=nothing": "allowed is 'full' or 'changes'",
    }.items():
        with pytest.raises(ValueError, match=says):
            load_agent(text, POO_HEAD, settings)


def test_the_command_tells_how_answers_were_read(tmp_path, monkeypatch):
    (tmp_path / "silent_client.py").write_text("def ask(text):\n    return ''\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    arguments = ["evaluate", "language:silent_client.ask,retries=1", "--against", "random", "--game", "poo_head"]
    done = CliRunner().invoke(app, [*arguments, "--players", "2", "--games", "4"])
    assert done.exit_code == 0, done.output
    assert re.search(r"silent_client.ask: \d+ decisions, 8 asked, 0 read, 8 silent.*4 forfeits", done.output)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"ask": 3}, "a callable"),
        ({"rules": "long"}, "'short' or 'full' or 'none'"),
        ({"retries": -1}, "whole number from 0"),
        ({"at_once": 0}, "whole number from 1"),
    ],
)
def test_wrong_arguments_are_refused(wrong, says):
    with pytest.raises(ValueError, match=says):
        LanguageAgent(**{"ask": first, **wrong})
