"""Too Many Poops: its rules one by one, its scenarios, and a slow referee that steps beside it."""
