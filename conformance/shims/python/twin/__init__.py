"""The twin: the machine-join protocol, written from docs/spec alone. One module a step; ops.py ties them to the shim contract."""
