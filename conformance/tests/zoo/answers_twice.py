"""Right, but says everything twice."""
from good import answer, say, serve


def twice(call):
    say(answer(call))
    say(answer(call))


serve(twice)
