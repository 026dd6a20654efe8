"""Expressions: what `scripts/bench eval` measures, over each adapter.

  path        a member path, beside the adapter's own evaluate of the same text; `first`: in a session that has evaluated nothing yet
  binding     parsing and binding alone, in the C# crate, without a program (src/csharp/examples/bind.rs)
  computing   what one of 50 expressions of a call takes, parsed, bound and computed: constants, overloads, a lambda
  hits        hits a second that a condition refuses which compares strings (1,000,000 of them over our own engine)
  LINQ        over a list of 100,000 objects of the program, over our own engine: adapters are asked for each element
  memory      PSS of the server and of the adapter afterwards
"""

import statistics
import subprocess
import time

from clients import ROOT, Failed, pss
from metadata import framework

PATH = "order.Customer"
COMPUTED = (
    ("constants", "{} * 3 + 7 > 20 ? \"yes\" : \"no\""),
    ("an overload and an interpolation", "$\"{{System.Math.Max({}, 2.5)}} of {{\"text\".Length}}\""),
    ("a lambda", "new[] {{ 1, 2, {} }}.Where(x => x > 1).Sum()"),
)
QUERIES = (
    ("Count with a predicate", "order._lines.Count(x => x.Quantity % 3 == 0)", "33333"),
    ("Where, Select, Sum", "order._lines.Where(x => x.Quantity > 50_000).Select(x => (long)x.Quantity).Sum()", None),
    ("GroupBy, OrderBy, First", "order._lines.GroupBy(x => x.Quantity % 10).OrderBy(x => x.Key).First().Count()", "10000"),
    ("a string of each compared", "order._lines.Any(x => x.Product == \"item 99999\")", "true"),
)
ELEMENTS = 100_000


def run(bench, adapter):
    if adapter == "builtin":
        binding(bench)
    paths(bench, adapter)
    computing(bench, adapter)
    hits(bench, adapter)
    if adapter == "builtin":
        queries(bench, adapter)


def binding(bench):
    """Medians in microseconds; the adapter makes no difference."""
    command = ["cargo", "run", "--quiet", "--release", "--package", "clr-csharp", "--example", "bind", "--", bench.program.dll, framework()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"the example bind failed: {done.stderr}")
    for line in done.stdout.splitlines():
        text, *taken = line.split("\t")
        parsed, bound, cold = map(float, taken)
        key = f"eval.binding.{text}"
        bench.samples[key] = {"parsed": parsed, "bound": bound, "bound first": cold}
        bench.add({"key": key, "what": f"µs to parse + bind (first bind): {text}", "clrbridge": f"{parsed:.1f} + {bound:.1f} ({cold:,.0f})"},
                  ("less than 1 ms", lambda ours, _: ours < 1000), parsed + bound)


def milliseconds(action):
    begun = time.perf_counter()
    action()
    return (time.perf_counter() - begun) * 1000


def paths(bench, adapter):
    """The two sides take turns, as everywhere."""
    first, raw_first, ours, raw = [], [], [], []
    for _ in range(1 if bench.quick else 5):
        mcp, dap, held, thread = bench.both(adapter, ["values", "10"], "values")
        frame = dap.request("stackTrace", threadId=thread)["stackFrames"][0]["id"]
        mine = lambda: mcp.call("evaluate", expression=PATH)  # noqa: E731
        plain = lambda: dap.request("evaluate", expression=PATH, frameId=frame)  # noqa: E731
        first.append(milliseconds(mine))
        raw_first.append(milliseconds(plain))
        for _ in range(bench.rounds(100)):
            ours.append(milliseconds(mine))
            raw.append(milliseconds(plain))
        mcp.close()
        held.close()
        dap.close()
    bench.latency(f"{adapter}.eval.first", "a member path, the first evaluation", first, ("raw", raw_first))
    bench.latency(f"{adapter}.eval.path", "a member path", ours, ("raw", raw),
                  aim=("at most 1.1 of raw", lambda ours, raw: ours <= raw * 1.1 + 0.5))


def computing(bench, adapter):
    mcp = bench.server(adapter)
    bench.launch(mcp, ["values", "10"], "values")
    for what, text in COMPUTED:
        # each call has other expressions: nothing is known of them
        spent = []
        for turn in range(bench.rounds(20)):
            expressions = [text.format(turn * 50 + at) for at in range(50)]
            spent.append(milliseconds(lambda: mcp.call("evaluate", expressions=expressions)))
        each = statistics.median(spent) / 50 * 1000
        bench.samples[f"{adapter}.eval.computing.{what}"] = {"clrbridge": spent}
        bench.add({"key": f"{adapter}.eval.computing.{what}", "what": f"µs an expression of a call takes: {what}", "clrbridge": f"{each:,.0f}"})
    mcp.close()


def hits(bench, adapter):
    count = bench.rounds(1_000_000 if adapter == "builtin" else 1_000)
    mcp = bench.server(adapter)
    bench.launch(mcp, ["hits", "100000000"], "main")
    mcp.call("breakpoint_set", file=str(bench.program.source), line=bench.program.line("hits"),
             condition=f"name == \"\" && i == {count}")
    # a client asks again, as an agent does, where one wait is not enough
    begun = time.perf_counter()
    report = mcp.call("debug_continue", timeout_ms=50_000)
    for _ in range(40):
        if report.get("outcome") == "stopped":
            break
        report = mcp.call("debug_continue", timeout_ms=50_000)
    else:
        raise Failed(f"no stop where the condition holds: {report}")
    spent = time.perf_counter() - begun
    mcp.close()
    rate = count / spent
    bench.samples[f"{adapter}.eval.hits"] = {"clrbridge": rate, "hits": count}
    bench.add({"key": f"{adapter}.eval.hits", "what": "hits per second refused by a comparison of strings", "clrbridge": f"{rate:,.0f}"})


def queries(bench, adapter):
    mcp = bench.server(adapter)
    bench.launch(mcp, ["values", str(ELEMENTS)], "end")
    for what, text, expected in QUERIES:
        spent = []
        for _ in range(bench.rounds(30)):
            answer = {}
            spent.append(milliseconds(lambda: answer.update(mcp.call("evaluate", expression=text, timeout_ms=50_000))))
            if expected is not None and answer.get("value") != expected:
                raise Failed(f"{text} is {answer}, not {expected}")
        bench.latency(f"{adapter}.eval.linq.{what}", f"LINQ over {ELEMENTS:,}: {what}", spent,
                      **({"aim": ("less than 1 s", lambda ours, _: ours < 1000)} if what.startswith("Count") else {}))
    bench.add({"key": f"{adapter}.eval.memory", "what": "MB of the server afterwards (PSS)", "clrbridge": f"{pss(mcp.pid) / 1e6:,.1f}"})
    mcp.close()
