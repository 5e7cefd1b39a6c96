"""Agents: who chooses actions. They see observations and masks, nothing else."""
