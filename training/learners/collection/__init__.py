"""What is collected at the tables while a policy plays, for whichever algorithm learns from it."""
