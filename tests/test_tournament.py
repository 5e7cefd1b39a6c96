"""Tournaments: who meets whom, the figures, the folder, going on after any end."""

import dataclasses
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from PIL import Image

import poopdeck
from poopdeck.agents.network.network import Network
from poopdeck.envs.core.game import Game
from poopdeck.envs.core.spec import Role
from poopdeck.training.evaluation import ratings, tournament
from poopdeck.training.evaluation import schedule as table_plan
from poopdeck.training.evaluation.heat_map import heat_map
from poopdeck.training.evaluation.schedule import all_make_ups, count_make_ups, make_schedule, sample_make_ups
from poopdeck.training.evaluation.tournament import (
    Entry,
    load_entries,
    make_plan,
    read_plan,
    run_tournament,
    tournament_request,
)
from poopdeck.training.evaluation.tournament_report import cross_table_page, standings_table, table_text
from poopdeck.training.storage.checkpoint import checkpoint_files, newest_checkpoint
from poopdeck.training.storage.run_folder import RunFolderError

GAME = poopdeck.game("poo_head")
SETTINGS = GAME.spec.settings(3)
NAMES = ["random", "heuristic:lowest", "heuristic"]
SCRIPT = """
import sys
from poopdeck.training.evaluation import ratings, schedule, tournament
schedule.BLOCK_GAMES, tournament.SAVE_EVERY, ratings.REPLICATES = 300, 0.0, 100
from poopdeck.cli import main
sys.argv = ["poopdeck", *sys.argv[1:]]
main()
"""


def small_plan(names=NAMES, games=2000, settings=SETTINGS, seed=0):
    return make_plan(GAME, settings, load_entries(names, GAME, settings), games, seed)


def without_clock(content):
    return {key: value for key, value in content.items() if key != "run"}


def written(folder):
    return without_clock(json.loads((folder / "tournament.json").read_text()))


def games_of(folder):
    return newest_checkpoint(folder / "games")[1].tensors


def save_network(folder, settings=SETTINGS, seed=0, game=None):
    rng = np.random.default_rng(seed)
    sizes = [GAME.spec.observation_size(settings), 8, GAME.spec.num_actions]
    weights = [rng.normal(size=shape, scale=0.3) for shape in zip(sizes[:-1], sizes[1:], strict=True)]
    card = {"game": game or GAME.spec.id, "settings": dict(settings)}
    Network(weights, [np.zeros(size) for size in sizes[1:]], card=card).save(folder)
    return folder


@pytest.fixture(autouse=True, scope="module")
def few_replicates():
    """The bootstrap of 1,000 is tried with the ratings; here fewer do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ratings, "REPLICATES", 100)
        yield


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A tournament of three agents at three seats: (folder, content)."""
    folder = tmp_path_factory.mktemp("tournament") / "out"
    ended = run_tournament(small_plan(games=4000), folder)
    return folder, ended.content


# -- who sits where --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("agents", "seats"), [(2, 2), (2, 5), (4, 4), (5, 3)])
def test_all_make_ups_have_two_different_agents(agents, seats):
    found = list(all_make_ups(agents, seats))
    assert len(found) == len(set(found)) == count_make_ups(agents, seats)
    assert all(len(set(make_up)) > 1 for make_up in found)


def test_all_make_ups_are_played_if_games_suffice():
    schedule = make_schedule(4, 4, 20_000)
    assert len(schedule.make_ups) == schedule.possible == 31
    assert schedule.deals == 162 and schedule.games == 162 * 31 * 4


@pytest.mark.parametrize(("agents", "seats", "games"), [(8, 5, 20_000), (12, 4, 5000), (30, 2, 10_000), (4, 25, 9000)])
def test_in_a_sample_all_pairs_meet_and_all_agents_sit_about_equally_often(agents, seats, games):
    schedule = make_schedule(agents, seats, games)
    assert schedule.sample and len(schedule.make_ups) == schedule.deals and games <= schedule.games < games + seats
    assert (schedule.make_ups[:, 0] != schedule.make_ups[:, -1]).all()
    here = (schedule.make_ups[:, :, None] == np.arange(agents)).any(axis=1)
    meetings = (here[:, :, None] & here[:, None, :]).sum(axis=0)[np.triu_indices(agents, 1)]
    assert meetings.min() >= 1 and meetings.max() - meetings.min() <= 5
    sittings = np.bincount(schedule.make_ups.ravel(), minlength=agents)
    assert sittings.max() - sittings.min() <= 5


def test_a_sample_has_all_kinds_of_make_ups():
    schedule = make_schedule(4, 4, 11_000)
    kinds = [tuple(sorted(np.unique(row, return_counts=True)[1].tolist())) for row in schedule.make_ups]
    share = {kind: kinds.count(kind) / len(kinds) for kind in set(kinds)}
    expected = {(1, 3): 12 / 31, (2, 2): 6 / 31, (1, 1, 2): 12 / 31, (1, 1, 1, 1): 1 / 31}
    assert share == pytest.approx(expected, abs=0.04)


def test_a_sample_hangs_on_the_seed_alone():
    one, other, different = (make_schedule(8, 5, 5000, seed).make_ups for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, other)
    assert one.shape == different.shape and (one != different).any()


def test_a_sample_grows_until_every_pair_has_met():
    found = sample_make_ups(9, 2, 1, np.random.default_rng(0))
    assert {tuple(row) for row in found.tolist()} == set(all_make_ups(9, 2))


@pytest.mark.parametrize("games", [20_000, 10_000], ids=["all make-ups", "a sample"])
def test_everybody_sits_everywhere_on_every_deal(games):
    schedule = make_schedule(4, 4, games)
    deals = schedule.blocks()[1]
    lineups, local = schedule.lineups(1, deals)
    make_ups = schedule.make_ups[deals.start : deals.start + 1] if schedule.sample else schedule.make_ups
    first = lineups[local == 0].reshape(len(make_ups), 4, 4)  # make-ups, rotations, seats
    for make_up, tables in zip(make_ups, first, strict=True):
        assert sorted(tables[0]) == make_up.tolist()
        for seat in range(4):
            np.testing.assert_array_equal(tables[seat], np.roll(tables[0], -seat))
    again = schedule.lineups(1, deals)[0]
    np.testing.assert_array_equal(again, lineups)
    assert (schedule.lineups(2, deals)[0] != lineups).any()
    assert sum(len(block) for block in schedule.blocks()) == schedule.deals


class FirstLegal:
    """Asked in Python; the same cards and seats always give the same game."""

    name = "first"

    def act(self, observations, masks, rng):
        return masks.argmax(axis=1)


class Illegal(FirstLegal):
    name = "illegal"

    def act(self, observations, masks, rng):
        return masks.argmin(axis=1)


def test_all_tables_are_dealt_the_same_cards(tmp_path, monkeypatch):
    monkeypatch.setattr(table_plan, "BLOCK_GAMES", 100)
    monkeypatch.setattr(table_plan, "ENOUGH_DEALS", 10)
    plan = small_plan([f"{label}=heuristic:lowest" for label in "abc"], 300)  # which leaves nothing to chance
    run_tournament(plan, tmp_path)
    games = games_of(tmp_path)
    lengths = games["lengths"].reshape(plan.schedule.deals, -1)
    assert (lengths == lengths[:, :1]).all()
    returns = games["returns"].reshape(plan.schedule.deals, -1, 3)
    assert (returns == returns[:, :1]).all()
    assert len(np.unique(lengths[:, 0])) > plan.schedule.deals // 2  # and each deal its own


# -- figures ---------------------------------------------------------------------------------------------------------


def test_equal_agents_get_exactly_equal_results(tmp_path):
    content = run_tournament(small_plan(["heuristic:lowest"] * 2 + ["heuristic"], 1500), tmp_path).content
    rows = {row["agent"]: row for row in content["standings"]}
    one, other = rows["heuristic:lowest"], rows["heuristic:lowest#2"]
    same = run_tournament(small_plan(["x=heuristic:lowest", "y=heuristic:lowest"], 600), tmp_path / "same").content
    for row in same["standings"]:
        assert row["mean_payoff"] == pytest.approx(0, abs=1e-6) and row["group"] == "a"
        assert row["rating"] == pytest.approx(0, abs=1e-3)
    low, high = one["rating_ci"]
    assert low < other["rating"] < high
    assert one["group"] == other["group"] != rows["heuristic"]["group"]


def test_the_standings_tell_the_agents_apart(played):
    _, content = played
    assert [row["agent"] for row in content["standings"]] == ["heuristic", "heuristic:lowest", "random"]
    assert [row["group"] for row in content["standings"]] == ["a", "b", "c"]
    assert content["standings"][2]["rating"] == 0 and "random at 0" in content["ratings"]["scale"]
    for row in content["standings"]:
        for name in ("rating", "mean_payoff", "loss_rate", "loss_rate_or_truncated"):
            low, high = row[f"{name}_ci"]
            assert low <= row[name] <= high
        assert row["illegal_actions"] == 0 and 0 <= row["truncated_share"] < 0.02
    assert content["games"] == content["deals"] * content["make_ups"] * 3 >= 4000


def test_payoffs_add_up(played):
    folder, content = played
    assert sum(row["mean_payoff"] * row["seats"] for row in content["standings"]) == pytest.approx(0, abs=1e-2)
    assert sum(row["seats"] for row in content["standings"]) == content["games"] * 3
    lost = sum(row["loss_rate"] * row["seats"] for row in content["standings"])
    assert lost == pytest.approx((~games_of(folder)["truncated"]).sum())


def test_the_cross_table_is_what_the_games_say(played):
    folder, content = played
    games, cross = games_of(folder), content["cross_table"]
    label = {entry["label"]: place for place, entry in enumerate(content["agents"])}
    for row, one in enumerate(cross["agents"]):
        for column, other in enumerate(cross["agents"]):
            common = (games["lineups"] == label[other]).any(axis=1) & (games["lineups"] == label[one]).any(axis=1)
            assert cross["games"][row][column] == common.sum() == cross["games"][column][row]
            if row == column:
                assert cross["mean_payoff"][row][column] is None
                continue
            own = (games["lineups"] == label[one]) & common[:, None]
            assert cross["mean_payoff"][row][column] == pytest.approx(games["returns"][own].mean(), abs=1e-6)
            assert cross["loss_rate"][row][column] == pytest.approx((games["returns"][own] < 0).mean(), abs=1e-9)
            assert cross["lead"][row][column] == pytest.approx(-cross["lead"][column][row])
            assert cross["lead_clear"][row][column] == cross["lead_clear"][column][row]
            beaten = content["ratings"]["difference"][row][column]
            assert beaten == pytest.approx(-content["ratings"]["difference"][column][row])


def test_with_two_agents_a_cell_is_the_agents_whole_result(tmp_path):
    settings = GAME.spec.settings(2)
    content = run_tournament(small_plan(["heuristic", "random"], 400, settings), tmp_path).content
    cross = content["cross_table"]
    assert cross["mean_payoff"][0][1] == pytest.approx(content["standings"][0]["mean_payoff"])
    assert cross["mean_payoff"][0][1] == pytest.approx(-cross["mean_payoff"][1][0])
    assert cross["lead"][0][1] == pytest.approx(2 * cross["mean_payoff"][0][1])


def test_illegal_actions_are_counted_and_lose(tmp_path):
    entries = [Entry("good", FirstLegal(), ""), Entry("bad", Illegal(), "")]
    content = run_tournament(make_plan(GAME, SETTINGS, entries, 60), tmp_path).content
    good, bad = sorted(content["standings"], key=lambda row: row["agent"], reverse=True)
    assert good["illegal_actions"] == 0 and bad["illegal_actions"] == content["games"]
    assert bad["mean_payoff"] < 0 < good["mean_payoff"]
    assert "mean 0" in content["ratings"]["scale"]
    assert any("deals only" in warning for warning in content["warnings"])
    assert any("no game in which bad beat good" in warning for warning in content["warnings"])


def test_truncated_games_rate_nobody_and_are_told_of(tmp_path):
    settings = GAME.spec.settings(3, max_decisions=12)
    content = run_tournament(small_plan(["random", "heuristic"], 300, settings), tmp_path).content
    assert all(row["truncated_share"] == 1 and row["group"] == "a" for row in content["standings"])
    assert any("decision cap" in warning for warning in content["warnings"])
    assert "loss rate or truncated" in table_text(content)


def test_equal_agents_are_not_told_apart_by_whom_they_met(tmp_path):
    settings = GAME.spec.settings(5)
    content = run_tournament(small_plan([name for name in NAMES for _ in range(2)], 3000, settings), tmp_path).content
    assert content["sample"] and content["deals"] == 600
    groups = {row["agent"]: set(row["group"]) for row in content["standings"]}
    for name in NAMES:
        assert groups[name] & groups[f"{name}#2"]
    assert not groups["random"] & (groups["heuristic:lowest"] | groups["heuristic"])
    assert "each at a table make-up of its own, a balanced sample" in table_text(content)


# -- what is shown ---------------------------------------------------------------------------------------------------


def test_the_texts_have_the_figures(played):
    folder, content = played
    shown = table_text(content)
    assert "all 7 table make-ups" in shown and "loss rate" in shown and "heuristic:lowest" in shown
    page = (folder / "cross_table.md").read_text()
    assert page == cross_table_page(content) and standings_table(content) in page
    assert "## Mean payoff" in page and "## Loss rate" in page
    cell = f"{content['cross_table']['mean_payoff'][0][2]:+.3f}"
    assert cell in page and f"({content['cross_table']['games'][0][2]:,})" in page
    tables = [line for line in page.splitlines() if line.startswith("| heuristic ")]
    assert all(line.count("|") in (5, 10, 9) for line in tables)


def test_what_is_not_significant_is_marked(played, tmp_path):
    _, content = played
    assert "= " not in cross_table_page(content).partition("## ")[2]
    even = run_tournament(small_plan(["x=heuristic:lowest", "y=heuristic:lowest"], 300), tmp_path).content
    assert cross_table_page(even).partition("## ")[2].count("| = ") == 2 * 2


def test_the_heat_map_is_a_picture_of_the_cross_table(played):
    folder, content = played
    picture = np.asarray(Image.open(folder / "heat_map.png").convert("RGB")).astype(int)
    assert min(picture.shape[:2]) > 300
    red, blue = picture[:, :, 0] - picture[:, :, 2] > 60, picture[:, :, 2] - picture[:, :, 0] > 60
    assert red.mean() > 0.02 and blue.mean() > 0.02
    assert heat_map(content) == (folder / "heat_map.png").read_bytes()
    many = {**content, "cross_table": widened(content["cross_table"], 12)}
    wide = Image.open(io.BytesIO(heat_map(many)))
    assert wide.size > (1200, 1200)


def widened(cross, size):
    """A cross table of many agents with long names."""
    cells = {name: rows for name, rows in cross.items() if name != "agents"}
    big = {name: [[rows[0][1]] * size for _ in range(size)] for name, rows in cells.items()}
    return {**big, "agents": [f"an agent with a long name {number}" for number in range(size)]}


# -- folder, ends, going on ------------------------------------------------------------------------------------------


def test_a_stopped_tournament_ends_as_an_uninterrupted_one(tmp_path, monkeypatch, played):
    monkeypatch.setattr(table_plan, "BLOCK_GAMES", 300)
    plan = small_plan()
    whole = run_tournament(plan, tmp_path / "whole")
    told = []
    rounds = iter([False, False, True])
    stopped = run_tournament(plan, tmp_path / "stopped", stop=lambda: next(rounds), on_progress=told.append)
    assert stopped.content is None and 0 < stopped.played < stopped.games and told[-1] == stopped.played
    assert not (tmp_path / "stopped" / "tournament.json").exists()
    more = []
    ended = run_tournament(small_plan(), tmp_path / "stopped", resume=True, threads=1, on_progress=more.append)
    assert more[0] == stopped.played and more[-1] == ended.games  # nothing is played again
    assert without_clock(ended.content) == without_clock(whole.content)
    for name in ("cross_table.md", "heat_map.png"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert written(tmp_path / "stopped") == written(tmp_path / "whole")


def test_a_finished_tournament_can_be_told_again(tmp_path):
    first = run_tournament(small_plan(games=100), tmp_path)
    again = run_tournament(small_plan(games=100), tmp_path, resume=True)
    assert without_clock(again.content) == without_clock(first.content)
    assert again.content["run"]["seconds"] == first.content["run"]["seconds"]


def test_a_damaged_file_of_games_costs_only_its_games(tmp_path, monkeypatch):
    monkeypatch.setattr(table_plan, "BLOCK_GAMES", 300)
    monkeypatch.setattr(tournament, "SAVE_EVERY", 0.0)
    whole = run_tournament(small_plan(), tmp_path)
    newest = checkpoint_files(tmp_path / "games")[0]
    newest.write_bytes(newest.read_bytes()[:1000])
    told = []
    again = run_tournament(small_plan(), tmp_path, resume=True, say=told.append)
    assert without_clock(again.content) == without_clock(whole.content)
    assert any("damaged" in text for text in told)


def start(*arguments):
    command = [sys.executable, "-c", SCRIPT, "tournament", *map(str, arguments)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"}
    )


def start_and_signal(number, folder, *arguments):
    """Starts the command, and once it has kept some more games ends it; returns exit code, output, messages."""
    before, until = checkpoint_files(folder / "games"), time.monotonic() + 120
    process = start(*arguments)
    while checkpoint_files(folder / "games")[:1] == before[:1]:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.002)
    process.send_signal(number)
    shown, said = process.communicate(timeout=120)
    return process.returncode, shown, said


def test_the_command_goes_on_after_it_was_stopped_and_after_it_was_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(table_plan, "BLOCK_GAMES", 300)
    out = tmp_path / "a folder"
    given = ("poo_head", *NAMES, "--players", 3, "--games", 9000, "--out", out)
    code, shown, said = start_and_signal(signal.SIGINT, out, *given)
    assert code == 130 and shown == "" and "Traceback" not in said
    assert "games, which are kept" in said and f"poopdeck tournament --out '{out}' --resume" in said
    start_and_signal(signal.SIGKILL, out, "--out", out, "--resume")
    assert not (out / "tournament.json").exists()
    ended = start("--out", out, "--resume")
    shown, said = ended.communicate(timeout=120)
    assert ended.returncode == 0 and said == "", said
    assert str(out) in shown and "heuristic:lowest" in shown
    assert written(out) == without_clock(run_tournament(small_plan(games=9000), tmp_path / "whole").content)


def test_a_folder_is_not_written_over(tmp_path):
    run_tournament(small_plan(games=50), tmp_path / "one")
    with pytest.raises(RunFolderError, match="not empty"):
        run_tournament(small_plan(games=50), tmp_path / "one")
    with tournament.TournamentFolder(tmp_path / "two"), pytest.raises(RunFolderError, match="being written"):
        run_tournament(small_plan(games=50), tmp_path / "two")
    with pytest.raises(RunFolderError, match="no such folder"):
        run_tournament(small_plan(games=50), tmp_path / "three", resume=True)


def test_the_usual_folder_is_named_after_game_and_time(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, second = (run_tournament(small_plan(games=50)).folder for _ in range(2))
    assert first.parent == pathlib.Path("runs") and first.name.startswith("tournament-poo_head-20")
    assert first != second


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 1}, "begun with seed=0, not 1"),
        ({"games": 60}, "begun with games=50, not 60"),
        ({"names": ["random", "heuristic"]}, "begun with agents='random, heuristic:lowest, heuristic', not"),
        ({"settings": GAME.spec.settings(4)}, "begun with num_players=3, not 4"),
    ],
)
def test_another_tournament_cannot_go_on_in_its_place(tmp_path, change, message):
    run_tournament(small_plan(games=50), tmp_path)
    with pytest.raises(RunFolderError, match=message):
        run_tournament(small_plan(**{"games": 50, **change}), tmp_path, resume=True)


def test_a_network_that_has_changed_cannot_go_on(tmp_path):
    network = save_network(tmp_path / "network")
    names = ["random", str(network)]
    run_tournament(small_plan(names, 50), tmp_path / "out")
    run_tournament(small_plan(names, 50), tmp_path / "out", resume=True)
    save_network(tmp_path / "network", seed=1)
    with pytest.raises(RunFolderError, match="not the one that the tournament began with"):
        run_tournament(small_plan(names, 50), tmp_path / "out", resume=True)


def test_other_versions_are_told_of(tmp_path):
    run_tournament(small_plan(games=50), tmp_path)
    versions = json.loads((tmp_path / "versions.json").read_text())
    (tmp_path / "versions.json").write_text(json.dumps({**versions, "numba": "0.1"}))
    told = []
    run_tournament(small_plan(games=50), tmp_path, resume=True, say=told.append)
    assert len(told) == 1 and "numba 0.1 ->" in told[0]


# -- what is asked for -----------------------------------------------------------------------------------------------


def request(game="poo_head", agents=("random", "heuristic"), players=3, resume_from=None, **more):
    usual = {"options": {}, "games": None, "seed": None, "sampled": None}
    return tournament_request(game, agents, players, **{**usual, **more}, resume_from=resume_from)


def test_a_request_has_the_usual_values():
    plan = request()
    assert plan.games == 20_000 and plan.seed == 0 and plan.greedy
    assert plan.settings == SETTINGS and [entry.label for entry in plan.entries] == ["random", "heuristic"]


def test_a_resumed_request_takes_from_the_plan_what_is_not_given(tmp_path):
    network = save_network(tmp_path / "network", {**SETTINGS, "bombs": 2})
    began = request(
        agents=("best=heuristic", "heuristic:lowest", str(network)),
        options={"bombs": 2},
        games=90,
        seed=5,
        sampled=True,
    )
    run_tournament(began, tmp_path / "out")
    kept = request(None, None, None, tmp_path / "out")
    assert kept.facts() == began.facts() == read_plan(tmp_path / "out")
    assert not kept.entries[2].agent.greedy
    other = request(None, ["random", "heuristic"], 4, tmp_path / "out", seed=6)
    assert other.settings["num_players"] == 4 and other.seed == 6 and other.games == 90


def test_a_tournament_that_was_stopped_before_it_began_can_be_resumed(tmp_path):
    with tournament.TournamentFolder(tmp_path):
        pass
    plan = request(games=30, resume_from=tmp_path)
    assert run_tournament(plan, tmp_path, resume=True).content is not None


def test_networks_play_in_tournaments(tmp_path):
    network = save_network(tmp_path / "network")
    content = run_tournament(small_plan(["random", f"mine={network}"], 60), tmp_path / "out").content
    assert {row["agent"] for row in content["standings"]} == {"random", "mine"}


def test_labels_are_distinct(tmp_path):
    one, other = (save_network(tmp_path / name / "weights") for name in ("a", "b"))
    names = ["heuristic", "heuristic", "mine=random", str(one), str(other), str(one)]
    labels = [entry.label for entry in load_entries(names, GAME, SETTINGS)]
    assert labels == ["heuristic", "heuristic#2", "mine", str(one), str(other), f"{one}#2"]
    assert [entry.label for entry in load_entries([str(one)], GAME, SETTINGS)] == ["weights"]


def other_game(tmp_path):
    return str(save_network(tmp_path / "network", game="poopdeck/other-v0"))


def other_table(tmp_path):
    return str(save_network(tmp_path / "network", GAME.spec.settings(5)))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"agents": ("random",)}, "1 given; a tournament needs two or more"),
        ({"agents": None}, "a game and two or more agents are needed"),
        ({"game": None}, "a game and two or more agents are needed"),
        ({"game": "poohead"}, "did you mean 'poo_head'"),
        ({"agents": ("random", "heuristik")}, "did you mean 'heuristic'"),
        ({"agents": ("random", "=heuristic")}, "AGENT or LABEL=AGENT"),
        ({"agents": ("x=random", "x=heuristic")}, "label 'x' is given to several agents"),
        ({"agents": ("heuristic", "heuristic=random")}, "label 'heuristic' is given to several agents"),
        ({"agents": ("random", other_game)}, "trained for poopdeck/other-v0, not for poopdeck/poo_head-v0"),
        ({"agents": ("random", other_table)}, "trained with num_players=5"),
        ({"players": 1}, "num_players=1"),
        ({"options": {"bomb": 1}}, "did you mean 'bombs'"),
        ({"games": 0}, "games=0"),
        ({"seed": -1}, "seed=-1"),
        ({"agents": None, "resume_from": pathlib.Path("nowhere")}, "no plan of a tournament"),
    ],
)
def test_mistakes_are_refused_with_what_is_allowed(tmp_path, given, message):
    if given.get("agents"):
        given = {**given, "agents": [name(tmp_path) if callable(name) else name for name in given["agents"]]}
    with pytest.raises(ValueError, match=message):
        request(**given)


def test_games_with_several_roles_are_refused():
    roles = (Role("player", ""), Role("captain", ""))
    game = Game(dataclasses.replace(GAME.spec, roles=roles, extra_roles=("captain",)))
    entries = [Entry(label, FirstLegal(), "") for label in "ab"]
    with pytest.raises(ValueError, match=r"several roles \(player, captain\)"):
        make_plan(game, SETTINGS, entries)


def test_a_missing_library_is_told_before_anything_is_played(tmp_path, monkeypatch):
    monkeypatch.setattr(tournament.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r'choix and matplotlib: pip install "poopdeck\[train\]"'):
        run_tournament(small_plan(games=50), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_command_says_what_is_wrong_in_one_line():
    process = start("poo_head", "random", "heuristic", "--resume")
    shown, said = process.communicate(timeout=120)
    assert process.returncode == 2 and shown == ""
    assert said == "poopdeck: --resume needs the tournament's folder: --out FOLDER\n"
