"""What a caller may give as a whole number."""

from operator import index
from typing import Any

import numpy as np

USUAL = {int, np.int64}  # asked first, for speed
TRUTHS = (bool, np.bool_)


def whole_number(value: Any) -> int:
    """A number from 0: whatever Python takes as an index, arrays and tensors of one value too; -1 for all else.

    True and False are none, although Python would count with them.
    """
    if type(value) in USUAL:
        return int(value)
    try:
        return -1 if isinstance(value, TRUTHS) else index(value)
    except TypeError:
        return -1
