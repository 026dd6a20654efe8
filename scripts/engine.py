"""scripts/bench engine: what only an engine is asked for in numbers, on every adapter that can do it.

  hits         hits a second that a condition refuses, that a hit count counts, and that a tracepoint logs
  throws       exceptions a second that the program throws and catches itself, with nothing to stop at, beside the program alone
  deep         the first page of a stack of 10,000 frames
  list         a page in the middle of an array of 1,000,000
  threads      the stacks of 200 threads, grouped
  heap         1,000,000 objects by type; what refers to one; what keeps it alive (only with an adapter that reads the heap)
"""

import subprocess
import time

from clients import Failed, build, structured

# Rows of the README's table, by the end of their keys.
IN_README = tuple(f"engine.{key}" for key in ("refused", "counted", "logged", "throws", "deep", "list", "threads", "by_type", "inbound", "roots"))


def run(bench, adapter, folder):
    program = build("EngineBench", folder)
    for section in (hits, throws, deep, page_of_list, threads, heap):
        section(bench, adapter, program)


def launched(bench, adapter, program, arguments, *names):
    mcp = bench.server(adapter, "--toolsets", "all")
    stops = [{"file": str(program.source), "line": program.line(name)} for name in names]
    report = mcp.call("debug_launch", program=str(program.dll), args=list(map(str, arguments)), build="never",
                      breakpoints=stops, timeout_ms=120_000)
    return mcp, report


def stopped(bench, adapter, program, arguments, name):
    mcp, report = launched(bench, adapter, program, arguments, name)
    if report.get("outcome") != "stopped":
        raise Failed(f"no stop at {name}: {report}")
    return mcp


def hits(bench, adapter, program):
    is_own = adapter == "builtin"
    for key, label, count, tool, given in (
            ("refused", "hits a second that a condition refuses", 20_000 if is_own else 1_000, "breakpoint_set", {"condition": "i == -1"}),
            ("counted", "hits a second that a hit count counts", 20_000 if is_own else 1_000, "breakpoint_set", {"hit_condition": ">= 2000000000"}),
            ("logged", "hits a second that a tracepoint logs", 20_000 if is_own else 1_000, "tracepoint_set", {"message": "{i}", "max_hits": 1_000_000})):
        count = bench.rounds(count)
        mcp = stopped(bench, adapter, program, ("hits", count), "main")
        mcp.call(tool, file=str(program.source), line=program.line("hits"), **given)
        mcp.call("breakpoint_set", file=str(program.source), line=program.line("counted"))
        spent, report = timed(lambda: structured(mcp.answer(mcp.start_call("debug_continue", timeout_ms=300_000), 300)[0]))
        if report.get("outcome") != "stopped":
            raise Failed(f"the loop does not end: {report}")
        bench.add({"key": f"{adapter}.engine.{key}", "what": label, "clrbridge": f"{count / spent:,.0f}"})
        mcp.close()


def throws(bench, adapter, program):
    count = bench.rounds(2_000)
    alone = int(subprocess.run(["dotnet", str(program.dll), "throws", str(count)], capture_output=True, text=True, check=True).stdout)
    mcp, report = launched(bench, adapter, program, ("throws", count))
    rate = int(report["output"]["stdout"])
    bench.add({"key": f"{adapter}.engine.throws", "what": "exceptions a second, caught by the program (without a debugger)",
               "clrbridge": f"{rate:,}", "raw": f"{alone:,}", "ratio": f"{rate / alone:.3f}"})
    mcp.close()


def deep(bench, adapter, program):
    mcp = stopped(bench, adapter, program, ("deep", 10_000), "bottom")
    latency(bench, f"{adapter}.engine.deep", "the first 20 of 10,000 frames", lambda: mcp.call("stacktrace_get"))
    mcp.close()


def page_of_list(bench, adapter, program):
    mcp = stopped(bench, adapter, program, ("list", 1_000_000), "list")
    latency(bench, f"{adapter}.engine.list", "100 elements from the middle of 1,000,000",
            lambda: mcp.call("variables_get", path="numbers", start=500_000, count=100, timeout_ms=60_000))
    mcp.close()


def threads(bench, adapter, program):
    mcp = stopped(bench, adapter, program, ("threads", 200), "threads")
    latency(bench, f"{adapter}.engine.threads", "the stacks of 200 threads", lambda: mcp.call("threads_list"),
            aim=("< 60 ms", lambda mine, _: mine < 60) if adapter == "builtin" else None)
    mcp.close()


def heap(bench, adapter, program):
    if adapter != "builtin":
        return
    mcp = stopped(bench, adapter, program, ("objects", 1_000_000), "objects")
    for key, label, aim, action in (
            ("by_type", "1,000,000 objects by type", ("< 300 ms", lambda mine, _: mine < 300), lambda: mcp.call("heap_stats", top=5)),
            ("inbound", "what refers to one of them", ("< 1000 ms", lambda mine, _: mine < 1000),
             lambda: mcp.call("references_get", path="last")),
            ("roots", "what keeps one of them alive", None, lambda: mcp.call("gc_roots", path="last"))):
        latency(bench, f"{adapter}.engine.{key}", label, action, aim=aim, rounds=10)
    mcp.close()


def latency(bench, key, label, action, aim=None, rounds=50):
    samples = [timed(action)[0] * 1000 for _ in range(bench.rounds(rounds) + 1)]
    bench.latency(key, label, samples[1:], aim=aim)


def timed(action):
    begun = time.perf_counter()
    result = action()
    return time.perf_counter() - begun, result
