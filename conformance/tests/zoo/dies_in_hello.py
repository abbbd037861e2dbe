"""Ends before it answers hello."""
import sys

sys.stdin.readline()
sys.exit("no licence")
