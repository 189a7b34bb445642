"""The command line: a parser, one headless turn, and a module for each noun.

Modules here import nothing heavy at their top, so that help and errors come at once.
"""
