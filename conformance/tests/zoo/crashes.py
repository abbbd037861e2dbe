"""Ends at every call."""
import sys

from good import serve

serve(lambda call: sys.exit("out of order"))
