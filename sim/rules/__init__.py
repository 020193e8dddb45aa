"""The law of the games: rulebooks as data, bets, outcomes, exact settlement, the round at the table."""
