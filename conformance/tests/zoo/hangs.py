"""Never answers a call."""
from good import serve

serve(lambda call: None)
