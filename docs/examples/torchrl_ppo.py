"""TorchRL's PPO with masked actions at our tables: train, and measure with intervals.

$ python torchrl_ppo.py --frames 200000
"""

import argparse

import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import poopdeck
from poopdeck.envs.adapters.torchrl import SeatTorchEnv
from poopdeck.training.evaluation.evaluate import evaluate

TABLES, STEPS, EPOCHS, BATCH = 64, 32, 4, 512


def network(features, outputs):
    """Two hidden layers."""
    layers = [torch.nn.Linear(features, 128), torch.nn.ReLU(), torch.nn.Linear(128, 128), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers, torch.nn.Linear(128, outputs))


class Learnt:
    """The actor as an agent; it plays its likeliest legal action."""

    name = "TorchRL PPO"

    def __init__(self, logits):
        self.logits = logits

    def act(self, observations, masks, rng):
        """Observations float32 (B, D), masks int8 (B, A); returns B legal actions."""
        with torch.no_grad():
            logits = self.logits(torch.as_tensor(observations))
        return logits.masked_fill(torch.as_tensor(masks) == 0, -torch.inf).argmax(dim=1).numpy()


def train(env, logits, critic, frames):
    """Learns from so many decisions of the learner, collected at all tables at once."""
    actor = ProbabilisticActor(
        TensorDictModule(logits, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)  # a game pays once, at its end
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    size = TABLES * STEPS
    for data in Collector(env, actor, frames_per_batch=size, total_frames=frames // size * size):
        for _ in range(EPOCHS):
            advantage(data)
            flat = data.reshape(-1)
            for rows in torch.randperm(len(flat)).split(BATCH):
                parts = loss(flat[rows])
                optimizer.zero_grad()
                (parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]).backward()
                torch.nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()


def main():
    """Trains against random players, then measures against them and the heuristic."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", type=int, default=200_000, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=4000, help="games against each baseline")
    given = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)  # more are slower on a network as small as this
    game = poopdeck.game("poop")
    env = SeatTorchEnv(game, TABLES, [poopdeck.load_agent("random", "poop", 2)], num_players=2)
    env.set_seed(0)
    features = env.observation_spec["observation"].shape[-1]
    logits, critic = network(features, game.spec.num_actions), ValueOperator(network(features, 1))
    train(env, logits, critic, given.frames)
    for name in ("random", "heuristic"):
        baseline = poopdeck.load_agent(name, "poop", 2)
        found = evaluate(game, game.spec.settings(2), Learnt(logits), [baseline], games=given.games, seed=1)
        low, high = found.rates["win_rate_ci"]
        print(f"against {name}: won {found.rates['win_rate']:.1%} [{low:.1%}, {high:.1%}]")


if __name__ == "__main__":
    main()
