"""How strong an agent is: matches, evaluations, tournaments, ratings."""
