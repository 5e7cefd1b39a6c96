"""One random stream per state record: splitmix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
generators"), kept in the record's field ``rng`` so that a copy of the record is a copy of its chance."""

import secrets

import numpy as np

from .compiler import rule

# Constants of the published generator; typed, since int64 mixed with uint64 would be a float64.
GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT_11 = np.uint64(11)
SHIFT_27 = np.uint64(27)
SHIFT_30 = np.uint64(30)
SHIFT_31 = np.uint64(31)
SHIFT_32 = np.uint64(32)
RESOLUTION = 2.0**-53


@rule
def next_word(s):
    """The next 64 random bits, uint64, of the record's own stream."""
    s.rng += GAMMA
    z = s.rng
    z = (z ^ (z >> SHIFT_30)) * MIX_1
    z = (z ^ (z >> SHIFT_27)) * MIX_2
    z ^= z >> SHIFT_31
    return z


@rule
def below(s, n):
    """A uniform integer in [0, n), n < 2**32, from the record's own stream (bias below n / 2**32)."""
    return np.int64(((next_word(s) >> SHIFT_32) * np.uint64(n)) >> SHIFT_32)


@rule
def uniform(s):
    """A uniform float64 in [0, 1), a multiple of 2**-53: ``uniform(s) < p`` happens with probability p."""
    return np.float64(next_word(s) >> SHIFT_11) * RESOLUTION


@rule
def weighted(s, weights, size):
    """An index in [0, size) drawn with probability weights[i] / their sum; weights of 0 or more, one of them above 0.

    An entry of weight 0 is never drawn, however the sums are rounded.
    """
    total = 0.0
    last = 0
    for i in range(size):
        total += weights[i]
        if weights[i] > 0:
            last = i
    ticket = uniform(s) * total
    for i in range(last):
        ticket -= weights[i]
        if ticket < 0:
            return i
    return last


@rule
def shuffle(s, cards, size):
    """Shuffles the first ``size`` entries of an array in place (Fisher-Yates)."""
    for i in range(size - 1, 0, -1):
        j = below(s, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@rule
def shuffle_anew(s, cards, size):
    """Shuffles like ``shuffle``, but so that nothing is left of what was there: neither of the order of the first
    ``size`` entries, which are sorted before, nor of the entries beyond, which become 0.

    For resampling: who knows the seed could infer the old order from the new one.
    """
    gap = 1
    while gap < size:
        gap = 3 * gap + 1
    while gap > 1:  # Shell's sort
        gap //= 3
        for i in range(gap, size):
            card = cards[i]
            j = i
            while j >= gap and cards[j - gap] > card:
                cards[j] = cards[j - gap]
                j -= gap
            cards[j] = card
    for i in range(size, len(cards)):
        cards[i] = 0
    shuffle(s, cards, size)


LOW_32 = 0xFFFFFFFF
WORD = 2**64  # seeds below it can be given to rules


@rule
def seed_stream(s, low, high):
    """Starts the record's stream as ``seed_streams(seed, 1)`` does: the first word of NumPy's SeedSequence.

    ``low`` and ``high`` are the 32-bit halves of a seed below 2**64. Making a SeedSequence takes
    longer than resampling a whole game.
    """
    pool = np.zeros(4, np.int64)
    pool[0] = low
    pool[1] = high
    constant = 0x43B0D7E5
    for i in range(16):  # four words mixed by themselves, then each into the three others
        source, target = (i, i) if i < 4 else ((i - 4) // 3, (i - 4) % 3)
        if i >= 4 and target >= source:
            target += 1
        word = (pool[source] ^ constant) & LOW_32
        constant = (constant * 0x931E8875) & LOW_32
        word = (word * constant) & LOW_32
        word ^= word >> 16
        if i >= 4:
            word = (0xCA01F9DD * pool[target] - 0x4973F715 * word) & LOW_32
            word ^= word >> 16
        pool[target] = word
    constant = 0x8B51F9DD
    for i in range(2):
        word = (pool[i] ^ constant) & LOW_32
        constant = (constant * 0x58F38DED) & LOW_32
        word = (word * constant) & LOW_32
        pool[i] = word ^ (word >> 16)
    s.rng = np.uint64(pool[0]) | (np.uint64(pool[1]) << SHIFT_32)


def check_seed(seed: int) -> int:
    """The seed as an int; ValueError for what is none."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(f"seed={seed!r}: a seed is a whole number, 0 or more")
    return int(seed)


def seed_streams(seed: int, count: int, branch: int | None = None) -> np.ndarray:
    """``count`` starting values, uint64, of independent streams; the same for the same non-negative seed of any size.

    ``branch`` gives other streams for the same seed, for things that must not disturb each other.
    """
    check_seed(seed)
    # As a spawn key: beside the seed in one list it would give the streams of another, larger seed.
    key = () if branch is None else (branch,)
    return np.random.SeedSequence(int(seed), spawn_key=key).generate_state(count, np.uint64)


def fresh_seed() -> int:
    """A seed from the system's entropy, for those who gave none."""
    return secrets.randbits(64)
