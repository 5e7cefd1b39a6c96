"""What a caller may give as a whole number."""

from operator import index
from typing import Any

import numpy as np


def whole_number(value: Any) -> int:
    """A number from 0: whatever Python takes as an index, arrays and tensors of one value too; -1 for all else.

    True and False are none, although Python would count with them.
    """
    try:
        return -1 if isinstance(value, bool | np.bool_) else index(value)
    except TypeError:
        return -1
