"""What a geometry does: sweeps, sensitivity, optimisation, the metrics of a design."""
