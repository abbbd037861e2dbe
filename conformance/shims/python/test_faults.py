"""The faults by themselves: each applies, and none touches the healthy twin."""
import json
import os
import re
import subprocess
import sys
import unittest

import faults
import patches

HERE = os.path.dirname(os.path.abspath(__file__))
LINE = re.compile(r'^@fault\("([a-z0-9-]+)", "([A-Z0-9-]+-[0-9]+)", "([^"]+)"\)$', re.MULTILINE)
FILES = tuple(sorted(name for name in os.listdir(HERE) if name.startswith("faults") and name.endswith(".py")))


def in_child(name):
    """The exit status of a process that applies a fault; the fault stays there."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if patches.apply(name) else 1)
        except Exception:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Faults(unittest.TestCase):
    def test_text_and_list_agree(self):
        found = []
        for name in FILES:
            with open(os.path.join(HERE, name), encoding="utf-8") as file:
                found += LINE.findall(file.read())
        listed = [(one["name"], one["rule"], one["what"]) for one in faults.listing()]
        self.assertEqual(sorted(found), sorted(listed))
        self.assertGreaterEqual(len(listed), 75)

    def test_each_applies(self):
        self.assertEqual([], [name for name in patches.FAULTS if in_child(name)])
        self.assertFalse(patches.apply("no such fault"))

    def test_command_line(self):
        def run(*args):
            return subprocess.run([sys.executable, os.path.join(HERE, "shim.py"), *args], input=b"", capture_output=True)
        lines = run("--list-faults").stdout.splitlines()
        self.assertEqual((1, faults.listing()), (len(lines), json.loads(lines[0])))
        self.assertEqual(0, run("--fault", "seal-short-tag").returncode)
        self.assertEqual(2, run("--fault", "none").returncode)


if __name__ == "__main__":
    unittest.main()
