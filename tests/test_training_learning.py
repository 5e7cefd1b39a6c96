from training_runs import task_of

from poopdeck.agents.loading import load_agent
from poopdeck.training.config.files import load_config
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.run.train import train

SHORT = """
total_timesteps=100_000 num_envs=128 network.hidden=[64,64]
maskable_ppo.n_steps=32 maskable_ppo.batch_size=1024 maskable_ppo.learning_rate=3e-3
evaluation.every=0 evaluation.games=4 evaluation.final_games=4 snapshots.every=50_000 snapshots.size=2
""".split()


def test_seconds_of_training_beat_three_random_players(tmp_path):
    config = load_config("poo_head_demo", SHORT)
    train(config, tmp_path, quiet=True)
    task = task_of(config)
    random = load_agent("random", task.game, task.settings)
    figures = {}
    for greedy in (True, False):
        agent = load_agent(str(tmp_path), task.game, task.settings, greedy)
        found = evaluate(task.game, task.settings, agent, [random], games=2000, seed=1, threads=1)
        figures[greedy] = found.rates["loss_rate_or_truncated_ci"]
        assert found.illegal_actions == 0
    # One loser in four is what chance gives.
    assert figures[True][1] < 0.1, figures
    assert figures[False][1] < 0.15, figures
