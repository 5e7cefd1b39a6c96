"""Does a game keep its contract? What `poopdeck check` and golden playthroughs do."""
