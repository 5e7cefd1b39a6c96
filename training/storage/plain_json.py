"""Figures as JSON that every reader takes: no NaN, no infinity, none of NumPy's types."""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's; a figure that there is not (NaN, infinite) as None."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, np.bool_ | np.integer):
        return value.item()
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return value


def json_text(content: Any, indent: int | None = None) -> str:
    """JSON in which a figure that there is not, such as an interval of one deal, is null."""
    return json.dumps(plain(content), indent=indent, allow_nan=False)
