"""
Reads the Python sources of a checkout for `data import`, by Python's own syntax trees. Standard input has the sources
and what is wanted of them as JSON; standard output gets the result or a refusal as JSON. No file is opened.
"""

import json
import sys

import tau3
import tau_bench
from literals import Refusal

#: Most memory, in bytes; the sources of a checkout take a tenth.
MAX_MEMORY = 1 << 30
READERS = {"tau-bench": tau_bench.read_domains, "tau3": tau3.read_tools}


def limit_memory() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    except (ImportError, ValueError, OSError):
        pass  # Windows and macOS have no such limit; the importer's time limit remains.


limit_memory()
request = json.load(sys.stdin.buffer)
try:
    answer = READERS[request["benchmark"]](request)
except Refusal as refusal:
    answer = {"refused": str(refusal)}
json.dump(answer, sys.stdout)
