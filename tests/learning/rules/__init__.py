"""Tests of learning rule lists."""
