"""YAML with line marks, units, the one error format: for scenarios, rulebooks, studies and rounds."""
