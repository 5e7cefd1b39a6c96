"""Ratings on the ladder: what is known comes out, at every table, and one number is said to mislead where it does."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from poopdeck.agents.loading import load_agent
from poopdeck.cli import app
from poopdeck.envs.core import registry
from poopdeck.training.evaluation import ladder as ladders
from poopdeck.training.evaluation.ladder import Ladder, find_ladder, read_ladders
from poopdeck.training.evaluation.ladder_making import make_ladder, with_slow_rung
from poopdeck.training.evaluation.ladder_rating import _rating, fit_rating, rate_on_ladder, rating_text
from poopdeck.training.evaluation.pair_games import Table
from poopdeck.training.evaluation.ratings import SCALE

SHIPPED = read_ladders()


def table(name="poo_head", players=2, **options):
    game = registry.game(name)
    return Table(game, game.spec.settings(players, **options), threads=1)


@pytest.fixture(scope="module")
def small():
    return make_ladder(table(), "default", ["random", "heuristic:lowest", "easy", "medium"], 3000)


def synthetic(elo, beat=None):
    """A ladder of made-up rungs."""
    n = len(elo)
    expected = 1 / (1 + np.exp((np.array(elo)[None] - np.array(elo)[:, None]) / SCALE))
    return Ladder(
        game="poo_head",
        players=2,
        variant="default",
        version="0",
        digest=None,
        games=0,
        rungs=[f"rung{k}" for k in range(n)],
        elo=np.array(elo, float),
        interval=np.zeros((n, 2)),
        beat=expected if beat is None else np.array(beat, float),
        pairs=np.full((n, n), 10_000.0),
        slow=[],
    )


def wins_of(shares, bundles=200, games=20, seed=0):
    """Wins (bundles, n + 1, n + 1) of an agent that wins these shares against n rungs."""
    rng, n = np.random.default_rng(seed), len(shares)
    wins = np.zeros((bundles, n + 1, n + 1))
    for k, share in enumerate(shares):
        wins[:, n, k] = rng.binomial(games, share, bundles)
        wins[:, k, n] = games - wins[:, n, k]
    return wins


def test_a_known_rating_comes_out():
    elo = np.array([600.0, 1000.0, 1300.0])
    shares = 1 / (1 + np.exp((elo - 1100) / SCALE))
    found = _rating(synthetic(elo), "known", wins_of(shares), 1000, 200, 0)
    assert found.interval[0] < 1100 < found.interval[1]
    assert found.interval[1] - found.interval[0] < 40
    assert not found.misleading and found.intransitivity < 0.02 and not found.cycles


def test_an_agent_that_one_number_does_not_tell_is_said_so():
    """It beats the best and loses to the worst: a cycle."""
    found = _rating(synthetic([900.0, 1000.0, 1100.0]), "odd", wins_of([0.2, 0.5, 0.8]), 1000, 200, 0)
    assert set(found.misleading) == {"rung0", "rung2"}
    assert found.intransitivity > 0.15
    assert ("rung2", "rung0") in found.cycles
    assert "misleads about rung0, rung2" in rating_text(found) and "a cycle: it beats rung2" in rating_text(found)


def test_whoever_always_wins_has_a_rating():
    high = fit_rating(np.array([[50.0, 50.0]]), np.zeros((1, 2)), np.array([900.0, 1000.0]))
    assert 1200 < high[0] < 3000


def test_a_rung_is_rated_as_it_was_measured(small):
    """The best heuristic once more, by other deals."""
    found = rate_on_ladder(table(), load_agent("heuristic", table().game, table().settings), small, 4000, seed=7)
    assert found.interval[0] - 40 < 1000 < found.interval[1] + 40
    assert found.games >= 4000 and found.deals * 2 == found.games


def test_the_order_is_what_one_knows(small):
    assert small.rungs[0] == "random" and small.rungs[-1] == "medium"
    assert small.elo[small.rungs.index("medium")] == 1000
    row, column = small.rungs.index("medium"), small.rungs.index("random")
    assert small.beat[row, column] > 0.7 and small.beat[column, row] == pytest.approx(1 - small.beat[row, column])


def test_it_is_written_and_read_the_same(small):
    again = Ladder.of_json(json.loads(json.dumps(small.to_json())))
    assert again.rungs == small.rungs and np.allclose(again.elo, small.elo, atol=0.06)
    assert np.isnan(again.beat.diagonal()).all() and (again.pairs == small.pairs).all()


def test_a_slow_rung_is_met_only_where_it_is_asked_for(small):
    more, found = with_slow_rung(table(), small, 200, name="heuristic")
    assert more.slow == ["heuristic"] and len(more.rungs) == 5 and more.beat.shape == (5, 5)
    place = more.rungs.index("heuristic")
    assert more.elo[place] == found.rating and np.isnan(more.beat[place, place])
    assert more.without(more.slow).rungs == small.rungs


def test_seats_of_several_roles_are_rated_by_matches():
    """Whoever plays both roles of Pooman better wins the match; random play is far below."""
    pooman = table("pooman", 3)
    assert pooman.places == 2
    found = make_ladder(pooman, "default", ["random", "medium"], 400)
    assert found.rungs == ["random", "medium"] and found.elo[0] < 900


def test_the_command_writes_what_it_says(small, tmp_path, monkeypatch):
    path = tmp_path / "ladder.json"
    path.write_text(json.dumps({"format": ladders.FORMAT, "ladders": [small.to_json()]}), encoding="utf-8")
    monkeypatch.setattr(ladders, "PATH", path)
    command = ["rate", "random", "--game", "poo_head", "--players", "2", "--games", "500"]
    done = CliRunner().invoke(app, [*command, "--json", str(tmp_path / "found.json")])
    assert done.exit_code == 0, done.output
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert found["rating"] < 1000 and f"rating  {found['rating']:.0f}" in done.output
    with pytest.raises(ValueError, match="there are: 2 players, default"):
        find_ladder(registry.spec("poo_head"), registry.spec("poo_head").settings(5))
    with pytest.raises(ValueError, match="games=0"):
        rate_on_ladder(table(), load_agent("random", table().game, table().settings), small, 0)


def test_a_ladder_of_other_weights_is_refused(small):
    other = Ladder(**{**vars(small), "digest": "0" * 32, "rungs": [*small.rungs[:-1], "hard"]})
    with pytest.raises(ValueError, match="measured with other weights of hard"):
        other.agents(table().game, table().settings)


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda one: f"{one.game}-{one.players}-{one.variant}")
def test_each_shipped_ladder_holds_for_what_is_installed(shipped):
    """Its weights are those that are shipped, and its rungs can be loaded."""
    game = registry.game(shipped.game)
    settings = game.spec.variant_settings(shipped.variant, shipped.players)
    assert len(shipped.agents(game, settings)) == len(shipped.rungs)
    assert shipped.elo[shipped.rungs.index("medium")] == 1000
    assert (np.diff(shipped.elo) >= 0).all()
