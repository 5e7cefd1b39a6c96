"""Language models at the table: what they are told, how their answers are read, and the agent."""
