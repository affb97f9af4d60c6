"""Building the package and checking what is released: what the Makefile runs. Nothing of it is installed."""
