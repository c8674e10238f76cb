"""Names of persons in German, French, Spanish, Italian, Portuguese and Dutch, and what looks like them, as tables."""
