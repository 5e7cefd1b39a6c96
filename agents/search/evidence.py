"""What playouts say of the actions that may be taken in some positions."""

import numpy as np

HOPELESS = 2.5  # standard errors below the best by which an action is given up at once


class Evidence:
    """Returns of B rows' actions on deals that the actions of a row share; N is the most actions that a row has.

    ``legal`` int (B, N): the actions, -1 where a row has fewer; ``proposed`` int (B,): the place of the proposal among
    them. ``alive`` bool (B, N): those that are still tried; the proposal always is.
    """

    def __init__(self, masks: np.ndarray, proposals: np.ndarray):
        counts = (masks != 0).sum(axis=1)
        self.legal = np.full((len(masks), int(counts.max())), -1, np.int64)
        rows, actions = np.nonzero(masks)
        places = np.arange(len(rows)) - np.repeat(counts.cumsum() - counts, counts)
        self.legal[rows, places] = actions
        self.proposed = (self.legal == proposals[:, None]).argmax(axis=1)
        self.proposals = proposals
        self.alive = self.legal >= 0
        self._values: list[np.ndarray] = []
        self._weights: list[np.ndarray] = []

    def add(self, values: np.ndarray, weights: np.ndarray | None = None) -> None:
        """Returns float (B, K, N) of K more deals, NaN where an action was not tried, and the weights (B, K) of these
        deals, which are those of all deals of a row up to one factor; by default all are alike."""
        self._values.append(values)
        self._weights.append(np.ones(values.shape[:2]) if weights is None else weights)

    @property
    def deals(self) -> int:
        """Deals so far, of every row."""
        return sum(values.shape[1] for values in self._values)

    def gains(self) -> tuple[np.ndarray, np.ndarray]:
        """How much more than the proposal each action brings, and the standard errors of that, both float64 (B, N).

        Weighted means over the deals on which an action was tried; NaN for what is no action.
        """
        values = np.concatenate(self._values, axis=1).astype(float)
        weights = np.concatenate(self._weights, axis=1)
        base = np.take_along_axis(values, self.proposed[:, None, None], axis=2)
        return _weighted(values - base, weights[:, :, None])

    def value(self) -> tuple[np.ndarray, np.ndarray]:
        """What the proposal brings, and the standard error, both float64 (B,)."""
        values, weights = np.concatenate(self._values, axis=1).astype(float), np.concatenate(self._weights, axis=1)
        base = np.take_along_axis(values, self.proposed[:, None, None], axis=2)[:, :, 0]
        return _weighted(base, weights)

    def halve(self) -> None:
        """Gives up the worse half of the actions that are still tried, and those that are far behind."""
        gains, errors = self.gains()
        gains = np.where(self.alive, gains, -np.inf)
        best = gains.max(axis=1, keepdims=True)
        order = np.argsort(np.argsort(-gains, axis=1, kind="stable"), axis=1, kind="stable")
        keep = order < np.maximum((self.alive.sum(axis=1, keepdims=True) + 1) // 2, 2)
        self.alive &= keep & (gains + HOPELESS * errors >= best)
        self.alive[np.arange(len(self.alive)), self.proposed] = True

    def best(self, margin: float) -> np.ndarray:
        """The actions, int64 (B,): what is better than the proposal by ``margin`` standard errors, the best of these,
        else the proposal."""
        gains, errors = self.gains()
        better = self.alive & (gains > 0) & (gains > margin * errors)
        rows = np.arange(len(gains))
        place = np.where(better, gains, -np.inf).argmax(axis=1)
        return self.legal[rows, np.where(better.any(axis=1), place, self.proposed)]

    def policy(self, priors: np.ndarray, temperature: float) -> np.ndarray:
        """Probabilities float64 (B, A), proportional to prior (B, A) * exp(gain / temperature): what answers
        the gains best at a cost of temperature * its divergence from the prior."""
        gains, _ = self.gains()
        raised = self.spread(gains, priors.shape[1], -np.inf) / temperature
        shares = priors * np.exp(raised - raised.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    def spread(self, values: np.ndarray, actions: int, rest: float) -> np.ndarray:
        """Values (B, N) of a row's actions by the number of the action, (B, A); ``rest`` for what is not legal."""
        found = np.full((len(values), actions + 1), rest)
        found[np.arange(len(values))[:, None], self.legal] = np.where(self.legal >= 0, values, rest)
        return found[:, :-1]


def _weighted(values: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means over the second axis and their standard errors; NaN among the values is left out."""
    known = ~np.isnan(values)
    weights = np.where(known, weights, 0.0)
    total = weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (np.where(known, values, 0.0) * weights).sum(axis=1) / total
        spread = np.where(known, values - mean[:, None], 0.0)
        error = np.sqrt((weights**2 * spread**2).sum(axis=1)) / total
    return mean, error
