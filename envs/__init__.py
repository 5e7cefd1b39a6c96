"""The environments: rules, and interfaces for the field's libraries. No learning in here."""
