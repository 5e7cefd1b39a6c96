"""Heuristics of Poo Head, from the observation alone."""

from ...envs.core.compiler import rule
from ...envs.games.poo_head.rules import (
    BOMB,
    COPIES,
    FLIP,
    NUMBERS,
    PICK_UP,
    PLAY_BOMB,
    PLAY_POO_HEAD,
    POO_HEAD,
    TABLE,
)

STRENGTHS = {"best": 0, "lowest": 1}


@rule
def choose(observation, mask, starts, strength, chance):
    """The action of a heuristic; ``starts`` says where the observation's blocks lie."""
    if mask[PICK_UP + 1] or mask[FLIP]:
        return FLIP
    arranging = table_card(mask)
    if arranging >= 0:
        return arranging
    return lowest_play(mask)


@rule
def table_card(mask):
    """Arranging: specials, then the highest numbers, lie face up, where they come into play late."""
    if mask[TABLE + BOMB]:
        return TABLE + BOMB
    if mask[TABLE + POO_HEAD]:
        return TABLE + POO_HEAD
    for rank in range(NUMBERS - 1, -1, -1):
        if mask[TABLE + rank]:
            return TABLE + rank
    return -1


@rule
def lowest_play(mask):
    """The lowest legal number with all its copies; specials only when no number is legal."""
    for rank in range(NUMBERS):
        for k in range(COPIES - 1, -1, -1):
            if mask[rank * COPIES + k]:
                return rank * COPIES + k
    if mask[PLAY_POO_HEAD]:
        return PLAY_POO_HEAD
    if mask[PLAY_BOMB]:
        return PLAY_BOMB
    return PICK_UP
