"""Reading and writing spins, observed and simulated alike: one schema."""
