"""The chance of a state: the published generator, fair, one stream per seed of any size."""

import os
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest

from poopdeck.envs.core import compiler
from poopdeck.envs.core.chance import below, fresh_seed, seed_stream, seed_streams, shuffle, uniform, weighted
from poopdeck.envs.core.compiler import layout

STREAM = layout(rng="u8", cards=("i1", 6))
WORD = 2**64 - 1


def splitmix64(state):
    """The generator as published (Steele, Lea and Flood 2014), in Python's integers: new state and output."""
    state = (state + 0x9E3779B97F4A7C15) & WORD
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return state, z ^ (z >> 31)


@compiler.rule
def draw(records, i, n):
    """A number from the stream of record i."""
    return below(records[i], n)


@compiler.rule
def shuffle_six(records, i):
    """Shuffles the cards of record i."""
    shuffle(records[i], records[i].cards, 6)


@compiler.rule
def draw_uniform(records, i):
    """A number in [0, 1) from the stream of record i."""
    return uniform(records[i])


@compiler.rule
def draw_weighted(records, i, weights):
    """An index from the stream of record i."""
    return weighted(records[i], weights, len(weights))


@compiler.rule
def start(records, i, low, high):
    """Starts the stream of record i from the halves of a seed."""
    seed_stream(records[i], low, high)


def stream(state):
    records = np.zeros(1, STREAM)
    records["rng"] = state
    return records


def test_the_published_values():
    # https://prng.di.unimi.it/splitmix64.c, seed 1234567
    state, outputs = 1234567, []
    for _ in range(3):
        state, output = splitmix64(state)
        outputs.append(output)
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("start", [0, 1, 1234567, 2**63 - 1, 2**63, WORD])
def test_draws_are_the_upper_half_of_the_published_generator(start):
    records, state = stream(start), start
    for n in [1, 2, 3, 52, 1000, 2**16, 2**31, 2**32 - 1] * 5:
        state, output = splitmix64(state)
        assert draw(records, 0, n) == ((output >> 32) * n) >> 32
        assert int(records["rng"][0]) == state


def test_draws_are_within_bounds_and_of_one_give_zero():
    records = stream(7)
    for n in (1, 2, 7, 13):
        values = [draw(records, 0, n) for _ in range(40 * n)]
        assert min(values) == 0 and max(values) == n - 1


def test_draws_are_uniform():
    """Chi-squared over 13 values, 130,000 draws: 99.9 % of fair generators stay below 32.9 (12 degrees)."""
    records = stream(seed_streams(1, 1)[0])
    counts = np.bincount([draw(records, 0, 13) for _ in range(130_000)], minlength=13)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 32.9


def test_pairs_of_draws_are_uniform():
    """Each value after each other; 99.9 % of fair generators stay below 49.7 (24 degrees)."""
    records = stream(seed_streams(2, 1)[0])
    values = np.array([draw(records, 0, 5) for _ in range(50_001)])
    counts = np.bincount(values[:-1] * 5 + values[1:], minlength=25)
    assert ((counts - 2000) ** 2 / 2000).sum() < 60  # pairs overlap, which widens it a little


def test_a_shuffle_keeps_the_cards_and_gives_every_order():
    records = stream(3)
    seen = set()
    for _ in range(12_000):
        records["cards"] = np.arange(6)
        shuffle_six(records, 0)
        seen.add(tuple(records["cards"][0].tolist()))
    assert seen == set(permutations(range(6)))


def test_shuffles_are_uniform():
    """Which card comes to which place: 36 counts, 25 degrees of freedom, 99.9 % below 52.6."""
    records, counts = stream(4), np.zeros((6, 6))
    for _ in range(12_000):
        records["cards"] = np.arange(6)
        shuffle_six(records, 0)
        counts[np.arange(6), records["cards"][0]] += 1
    assert ((counts - 2000) ** 2 / 2000).sum() < 52.6


def test_only_the_first_part_is_shuffled():
    @compiler.rule
    def shuffle_three(records, i):
        shuffle(records[i], records[i].cards, 3)

    records = stream(5)
    for _ in range(50):
        records["cards"] = np.arange(6)
        shuffle_three(records, 0)
        assert sorted(records["cards"][0, :3].tolist()) == [0, 1, 2]
        assert records["cards"][0, 3:].tolist() == [3, 4, 5]


# -- seeds ------------------------------------------------------------------------------------------------------------


def test_streams_of_a_seed_are_the_same_and_of_others_different():
    seeds = [0, 1, 2, 2**31, 2**32, 2**63, 2**64, 2**64 + 1, 2**70, 2**200]
    starts = [int(seed_streams(seed, 1)[0]) for seed in seeds]
    assert len(set(starts)) == len(seeds)
    assert starts == [int(seed_streams(seed, 1)[0]) for seed in seeds]
    assert int(seed_streams(np.int64(2), 1)[0]) == starts[2]
    assert int(seed_streams(np.uint64(2**63), 1)[0]) == starts[5]


def test_these_starts_stay_as_they_are():
    """Games written down by their seed depend on them."""
    assert seed_streams(0, 2).tolist() == [15793235383387715774, 12390638538380655177]
    assert seed_streams(2**70, 1).tolist() == [4976408113500649950]
    assert seed_streams(0, 1, branch=1).tolist() == [4881901421217228719]


def test_more_streams_begin_with_the_same():
    many = seed_streams(9, 1000)
    assert many.dtype == np.uint64 and len(np.unique(many)) == 1000
    assert (seed_streams(9, 3) == many[:3]).all()


def test_branches_are_other_streams():
    branches = [tuple(seed_streams(5, 4, branch).tolist()) for branch in (None, 0, 1, 2)]
    neighbours = [tuple(seed_streams(5 + k * 2**32, 4).tolist()) for k in (1, 2)]
    assert len({*branches, *neighbours}) == 6


@pytest.mark.parametrize("seed", [-1, 1.0, "1", None, True, np.float64(3), np.bool_(True), [1]])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(ValueError, match="seed=.*a whole number, 0 or more"):
        seed_streams(seed, 1)


def test_fresh_seeds_differ():
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100 and all(0 <= seed < 2**64 for seed in seeds)


def test_global_generators_are_neither_used_nor_disturbed():
    import random

    np.random.seed(1)
    random.seed(1)
    before = np.random.get_state()[1].tolist(), random.getstate()
    seed_streams(3, 10)
    records = stream(1)
    draw(records, 0, 10)
    assert (np.random.get_state()[1].tolist(), random.getstate()) == before


def test_plain_python_draws_the_same():
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import test_chance as t\n"
        "r = t.stream(11); print([int(t.draw(r, 0, 52)) for _ in range(20)], end=' ')\n"
        "r['cards'] = range(6); t.shuffle_six(r, 0); print(r['cards'][0].tolist())"
    )
    command = [sys.executable, "-c", script, os.path.dirname(__file__)]
    plain = subprocess.run(
        command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=True
    )
    records = stream(11)
    compiled = f"{[int(draw(records, 0, 52)) for _ in range(20)]} "
    records["cards"] = range(6)
    shuffle_six(records, 0)
    assert plain.stdout.strip() == compiled + str(records["cards"][0].tolist())
    assert plain.stderr == ""


def test_uniform_numbers_are_the_upper_53_bits():
    records, state = stream(7), 7
    for _ in range(50):
        state, output = splitmix64(state)
        number = draw_uniform(records, 0)
        assert number == (output >> 11) / 2**53 and 0 <= number < 1


@pytest.mark.parametrize("weights", [[1.0, 2.0, 3.0, 4.0], [0.0, 5.0, 0.0, 1e-3, 0.0], [1e-9, 1e9], [0.3]])
def test_weighted_draws_come_as_often_as_their_weights_say(weights):
    draws, records = 20_000, stream(11)
    weights = np.array(weights)
    found = np.bincount([draw_weighted(records, 0, weights) for _ in range(draws)], minlength=len(weights))
    share = weights / weights.sum()
    assert (found[weights == 0] == 0).all()
    assert (np.abs(found - draws * share) <= 5 * np.sqrt(draws * share * (1 - share)) + 1).all()


def test_rules_start_a_stream_as_seeds_do():
    records, random = stream(0), np.random.default_rng(0)
    drawn = [int(random.integers(2**bits)) for bits in (8, 31, 33, 63) for _ in range(100)]
    for seed in [0, 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**64 - 1, *drawn]:
        start(records, 0, seed & 0xFFFFFFFF, seed >> 32)
        assert records["rng"][0] == seed_streams(seed, 1)[0], seed


IN_THREADS = """
import warnings
warnings.simplefilter("error")
import numpy as np
import poopdeck
env = poopdeck.make_vec("poo_head", 8, threads=4)
env.reset(seed=1)
for _ in range(4):
    env.step(env.mask.argmax(axis=1))
env.close()
"""


def test_plain_python_does_not_warn_of_what_wraps_round_in_any_thread():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, "-c", IN_THREADS], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
