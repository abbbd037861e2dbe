"""Right, but under another number."""
from good import answer, say, serve

serve(lambda call: say({**answer(call), "id": call["id"] + 1000}))
