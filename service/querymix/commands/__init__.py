"""The commands: each reads its options, puts the parts together and reports."""
