# The checks that CI runs, inside an environment made by the README's test command.
.PHONY: check
check:
	.venv/bin/python -m tests
