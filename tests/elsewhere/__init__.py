"""Tests that need libraries which are not among those of the other tests: ``make test-elsewhere``."""
