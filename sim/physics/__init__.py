"""The laws: contact, surfaces, rim, losses. Pure compiled functions of SI numbers; nothing here knows a scenario."""
