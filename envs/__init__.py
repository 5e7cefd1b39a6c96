"""The environments: rules, and doors for the field's libraries. No learning in here."""
