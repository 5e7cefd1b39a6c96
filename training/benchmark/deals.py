"""Every way in which a shuffled deck may be dealt, with its probability."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, prod


@dataclass(frozen=True)
class Deal:
    """Who was dealt what; the order of cards does not matter."""

    hands: list[list[str]]
    rest: list[str]  # what nobody was dealt
    probability: float


def all_deals(deck: Mapping[str, int], sizes: Sequence[int]) -> list[Deal]:
    """The deals of a deck (copies by card) to hands of these sizes, all different; their probabilities add up to 1.

    Raises:
        ValueError: the deck has too few cards.
    """
    if sum(sizes) > sum(deck.values()):
        raise ValueError(f"deck={dict(deck)}: {sum(sizes)} cards or more are wanted")
    return list(_dealt(dict(deck), list(sizes), [], 1.0))


def _dealt(left: dict[str, int], sizes: list[int], hands: list[list[str]], probability: float) -> Iterator[Deal]:
    if not sizes:
        yield Deal(hands, _cards(left), probability)
        return
    ways = comb(sum(left.values()), sizes[0])
    for hand in _hands(list(left.items()), sizes[0]):
        chance = prod(comb(left[card], count) for card, count in hand.items()) / ways
        rest = {card: count - hand[card] for card, count in left.items()}
        yield from _dealt(rest, sizes[1:], [*hands, _cards(hand)], probability * chance)


def _hands(left: list[tuple[str, int]], size: int) -> Iterator[dict[str, int]]:
    """All hands of a size, as copies of every card."""
    if not left:
        if size == 0:
            yield {}
        return
    (card, most), others = left[0], left[1:]
    for count in range(min(most, size) + 1):
        for rest in _hands(others, size - count):
            yield {card: count, **rest}


def _cards(counts: Mapping[str, int]) -> list[str]:
    return [card for card, count in counts.items() for _ in range(count)]
