"""Kills itself at every call."""
import os
import signal

from good import serve

serve(lambda call: os.kill(os.getpid(), signal.SIGKILL))
