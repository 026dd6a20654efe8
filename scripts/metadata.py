"""`scripts/bench metadata`: the metadata tools beside a C# program that asks System.Reflection.Metadata the same.

Same machine, same run, in turns. Cold is the first question to a process that has just started (its files are in the page
cache), warm the median of later ones. Ours are whole calls of a tool, with JSON both ways; theirs are the time between
question and answer within the process. The counts of both must be equal.
"""

import pathlib
import statistics
import subprocess

from clients import Failed, Mcp, build, peak_rss, pss

QUESTIONS = (
    # key, label, file or folder, what, pattern, aims: cold ms, warm ms
    ("open", "open System.Private.CoreLib, list its types", "System.Private.CoreLib.dll", "types", "*", None, None),
    ("all", "list all types of the framework", "", "types", "*", 100, 20),
    ("search", "search them for `dictionary`", "", "types", "dictionary", 100, 20),
    ("methods", "search all methods for `readasync`", "", "methods", "readasync", None, None),
)


class Reader:
    """The C# program."""

    def __init__(self, dll):
        self.child = subprocess.Popen(["dotnet", str(dll)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, what, path, pattern):
        self.child.stdin.write(f"{what} {path} {pattern}\n")
        self.child.stdin.flush()
        count, spent = self.child.stdout.readline().split()
        return int(count), float(spent)

    def close(self):
        self.child.stdin.close()
        self.child.wait(10)


def framework():
    listed = subprocess.run(["dotnet", "--list-runtimes"], capture_output=True, text=True, check=True).stdout
    runtimes = [line.split() for line in listed.splitlines() if line.startswith("Microsoft.NETCore.App ")]
    name, version, folder = max(runtimes, key=lambda runtime: [int(part) for part in runtime[1].split("-")[0].split(".")])
    return pathlib.Path(folder.strip("[]")) / version


def ours(mcp, timed, path, what, pattern):
    spent, report = timed(lambda: mcp.call("modules_search", pattern=pattern, kind=what, assembly=str(path), max_results=1))
    return report["count"], spent


def run(bench, folder, timed):
    program, home = build("MetadataBench", folder), framework()
    rounds = bench.rounds(40)
    for key, label, file, what, pattern, cold_aim, warm_aim in QUESTIONS:
        path = home / file if file else home
        colds, their_colds = [], []
        for _ in range(max(3, rounds // 8)):
            mcp, reader = bench.server(), Reader(program.dll)
            count, cold = ours(mcp, timed, path, what, pattern)
            their_count, their_cold = reader.ask(what, path, pattern)
            colds.append(cold)
            their_colds.append(their_cold)
            if count != their_count:
                raise Failed(f"{label}: {count} here, {their_count} there")
            last = (mcp, reader)
            if len(colds) < max(3, rounds // 8):
                mcp.close()
                reader.close()
        mcp, reader = last
        warm, their_warm = [], []
        for _ in range(rounds):
            warm.append(ours(mcp, timed, path, what, pattern)[1])
            their_warm.append(reader.ask(what, path, pattern)[1])
        for state, mine, theirs, aim in (("cold", colds, their_colds, cold_aim), ("warm", warm, their_warm, warm_aim)):
            row(bench, f"metadata.{key}.{state}", f"{label}, {state} ({count:,})", mine, theirs, aim)
        if key == "all":
            memory(bench, mcp, reader)
        mcp.close()
        reader.close()
    usages(bench)


def row(bench, key, label, mine, theirs, aim):
    base, other = statistics.median(mine), statistics.median(theirs)
    bench.samples[key] = {"clrbridge": mine, "System.Reflection.Metadata": theirs}
    line = {"key": key, "what": label, "clrbridge": f"{base:.2f}", "raw": f"{other:.2f} (System.Reflection.Metadata)",
            "ratio": f"{base / other:.3f}"}
    wanted = (f"< {aim} ms and 10x", lambda o, t: o < aim and o * 10 <= t) if aim else None
    bench.add(line, wanted, base, other)


def memory(bench, mcp, reader):
    mine, theirs = pss(mcp.pid), pss(reader.child.pid)
    peak, their_peak = peak_rss(mcp.pid), peak_rss(reader.child.pid)
    bench.samples["metadata.memory"] = {"clrbridge": [mine, peak], "System.Reflection.Metadata": [theirs, their_peak]}
    bench.add({"key": "metadata.memory", "what": "memory after it, PSS (peak RSS)",
               "clrbridge": f"{mine / 1e6:.1f} MB ({peak / 1e6:.1f})",
               "raw": f"{theirs / 1e6:.1f} MB ({their_peak / 1e6:.1f})", "ratio": f"{mine / theirs:.2f}"},
              ("< 50 MB", lambda o, _: o < 50e6), mine)


def usages(bench):
    """All usages of one method across the framework, once the tool is there."""
    mcp = bench.server(None, "--toolsets", "all")
    tools = {tool["name"] for tool in mcp.request("tools/list")["tools"]}
    mcp.close()
    if "code_find_usages" not in tools:
        print("  skipped: usages, there is no code_find_usages yet")
