"""Slow, plain referees: each game once more, from its numbered rules alone, to check the compiled one."""
