"""`scripts/bench metadata`: the metadata tools beside a C# program that asks System.Reflection.Metadata the same.

Same machine, same run, in turns, both seen from here: a question goes down a pipe, an answer comes back (ours is a tool call with
JSON both ways, theirs a line of text). Each number is the median in ms, behind it the CPU time of the process, of all its threads.

  fresh process   from the start of the process to the first answer: what a user waits for
  first query     the same without the start: theirs without that of the runtime, with the JIT of the program's own code
                  (the library is precompiled); ours without spawn and initialize
  repeated query  the same query again in the same process

Files are in the page cache. Both sides keep files open between questions and look whether they have changed. For usages ours asks a
workspace of 173 projects whose builds are links to the framework's assemblies, and looks at its folders and project files too. Links
are mapped; of copies, 60 MB, up to 16 would be kept and the rest read for each question. The counts of both sides must be equal.
"""

import pathlib
import statistics
import subprocess
import time

from clients import Failed, Mcp, build, peak_rss, pss

METHOD = "System.ArgumentNullException.ThrowIfNull"

# Why a target is missed, by the prefix of the row's key; from profiles of 2026-11-22.
REASONS = {
    "metadata.all.":
        "the kernel takes 57 % of the CPU time of a first listing (process start; 172 files opened, mapped and paged in) and 24 % of a "
        "later one (each file is checked for changes); the rest is spread evenly over the types.",
    "metadata.search.":
        "For a first search the kernel takes 58 %, for a later one 38 %; the search itself takes a few percent.",
    "metadata.usages.":
        "For a first usages query, including loading the workspace, the kernel takes 63 %; for a later one 31 % (dlls, projects and "
        "folders are checked for changes), and reading IL 27 %.",
}


class Reader:
    """The C# program."""

    def __init__(self, dll):
        self.child = subprocess.Popen(["dotnet", str(dll)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.child.pid
        self.child.stdout.readline()

    def ask(self, what, path, pattern):
        self.child.stdin.write(f"{what} {path} {pattern}\n")
        self.child.stdin.flush()
        return self.child.stdout.readline().split()

    def close(self):
        self.child.stdin.close()
        self.child.wait(10)


class Names:
    """Types or methods by name: of a file or of all of a folder."""

    def __init__(self, key, label, path, what, pattern, aims=None):
        self.key, self.label, self.path, self.what, self.pattern = key, label, path, what, pattern
        self.aims = aims or {}

    def prepare(self, mcp):
        pass

    def ours(self, mcp):
        return mcp.call("modules_search", pattern=self.pattern, kind=self.what, assembly=str(self.path))["count"]

    def theirs(self, reader):
        return int(reader.ask(self.what, self.path, self.pattern)[0])

    def count(self, ours, theirs):
        if ours != theirs:
            raise Failed(f"{self.label}: {ours} here, {theirs} there")
        return ours


class Usages:
    """The uses of one method, over a workspace of all assemblies of a folder."""

    def __init__(self, key, label, home, workspace, aims):
        self.key, self.label, self.home, self.workspace, self.aims = key, label, home, workspace, aims

    def prepare(self, mcp):
        mcp.call("code_load", path=str(self.workspace))

    def ours(self, mcp):
        report = mcp.call("code_find_usages", name=METHOD)
        return report.get("without_lines", []), report.get("more_without_lines", 0)

    def theirs(self, reader):
        return [pair.split("=") for pair in reader.ask("usages", self.home, METHOD)]

    def count(self, ours, theirs):
        """The answer names the first assemblies, by name, and how many more there are."""
        named, more = [[entry["assembly"], str(entry["count"])] for entry in ours[0]], ours[1]
        by_name = sorted(theirs)
        if not named or named != by_name[: len(named)] or len(named) + more != len(by_name):
            raise Failed(f"{self.label}: {named} and {more} more here, {by_name} there")
        return sum(int(count) for _, count in theirs)


def framework():
    listed = subprocess.run(["dotnet", "--list-runtimes"], capture_output=True, text=True, check=True).stdout
    runtimes = [line.split() for line in listed.splitlines() if line.startswith("Microsoft.NETCore.App ")]
    name, version, folder = max(runtimes, key=lambda runtime: [int(part) for part in runtime[1].split("-")[0].split(".")])
    return pathlib.Path(folder.strip("[]")) / version


def workspace(folder, home, program):
    """Projects whose builds are the assemblies of `home`, and one with symbols, without which there is nothing to navigate."""
    root = pathlib.Path(folder) / "Workspace"
    for dll in [*home.glob("*.dll"), program.dll]:
        project = root / dll.stem
        built = project / "bin/Debug/net10.0"
        if not built.is_dir():
            built.mkdir(parents=True)
            text = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>'
            (project / f"{dll.stem}.csproj").write_text(text)
            (built / dll.name).symlink_to(dll)
    symbols = root / program.dll.stem / "bin/Debug/net10.0" / f"{program.dll.stem}.pdb"
    if not symbols.exists():
        symbols.symlink_to(program.dll.with_suffix(".pdb"))
    return root


def cpu(pid):
    """CPU time of a process so far, all threads, also those that have ended: its clock, as clock_getcpuclockid(3) names it."""
    return time.clock_gettime((~pid << 3) | 2)


def measured(pid, action):
    """((wall ms, CPU ms), result)"""
    spent, begun = cpu(pid), time.perf_counter()
    result = action()
    wall = time.perf_counter() - begun
    return (wall * 1000, (cpu(pid) - spent) * 1000), result


class Side:
    """Samples of one side, by state."""

    def __init__(self, start, ask):
        self.start, self.ask = start, ask
        self.samples = {"fresh process": [], "first query": [], "repeated query": []}

    def cold(self, prepare):
        """A new process that has said it is ready, its first answer and what it took."""
        begun = time.perf_counter()
        process = self.start()
        prepare(process)
        first, answer = measured(process.pid, lambda: self.ask(process))
        self.samples["fresh process"].append(((time.perf_counter() - begun) * 1000, cpu(process.pid) * 1000))
        self.samples["first query"].append(first)
        return process, answer

    def later(self, process):
        taken, answer = measured(process.pid, lambda: self.ask(process))
        self.samples["repeated query"].append(taken)
        return answer


def run(bench, folder):
    program, home = build("MetadataBench", folder, "Release"), framework()
    quick = {"fresh process": 100, "first query": 100, "repeated query": 20}
    scan = {"first query": 250, "repeated query": 250}
    questions = (
        Names("open", "open System.Private.CoreLib, list its types", home / "System.Private.CoreLib.dll", "types", "*"),
        Names("all", "all types of the framework", home, "types", "*", quick),
        Names("search", "search them for `dictionary`", home, "types", "dictionary", quick),
        Names("methods", "search all methods for `readasync`", home, "methods", "readasync"),
        Usages("usages", f"all usages of {METHOD}", home, workspace(folder, home, program), scan),
    )
    for question in questions:
        ask(bench, question, program)


def ask(bench, question, program):
    ours = Side(bench.server, question.ours)
    theirs = Side(lambda: Reader(program.dll), question.theirs)
    colds, laters = max(3, bench.rounds(9)), bench.rounds(20)
    kept = None
    for at in range(colds + 1):
        for process in kept or ():
            process.close()
        mcp, answer = ours.cold(question.prepare)
        reader, their_answer = theirs.cold(lambda process: None)
        count = question.count(answer, their_answer)
        kept = mcp, reader
        if at == 0:
            # Brings the files into the page cache.
            for side in (ours, theirs):
                side.samples["fresh process"].clear()
                side.samples["first query"].clear()
    for _ in range(laters):
        question.count(ours.later(mcp), theirs.later(reader))
    for state in ours.samples:
        row(bench, question, state, count, ours.samples[state], theirs.samples[state])
    if question.key in ("search", "usages"):
        memory(bench, question, mcp, reader)
    for process in kept:
        process.close()


def row(bench, question, state, count, mine, theirs):
    key = f"metadata.{question.key}.{state}"
    bench.samples[key] = {"clrbridge": mine, "System.Reflection.Metadata": theirs}
    (wall, spent), (other, other_spent) = middle(mine), middle(theirs)
    line = {"key": key, "what": f"{question.label} ({count:,}): {state}", "clrbridge": f"{wall:.1f} ({spent:.1f})",
            "raw": f"{other:.1f} ({other_spent:.1f})", "ratio": f"{other / wall:.1f}x"}
    aim = question.aims.get(state)
    words = {True: "yes", False: "no"}
    text = aim and f"< {aim} ms: {words[wall < aim]}; 10x: {words[wall * 10 <= other]}"
    bench.add(line, (text, lambda o, t: o < aim and o * 10 <= t) if aim else None, wall, other)


def middle(samples):
    """Median of the wall times, median of the CPU times."""
    return tuple(statistics.median(times) for times in zip(*samples))


def memory(bench, question, mcp, reader):
    mine, theirs, peak, their_peak = pss(mcp.pid), pss(reader.pid), peak_rss(mcp.pid), peak_rss(reader.pid)
    bench.samples[f"metadata.{question.key}.memory"] = {"clrbridge": [mine, peak], "System.Reflection.Metadata": [theirs, their_peak]}
    bench.add({"key": f"metadata.{question.key}.memory", "what": f"memory after {question.key}: PSS (peak RSS), MB",
               "clrbridge": f"{mine / 1e6:.1f} ({peak / 1e6:.1f})", "raw": f"{theirs / 1e6:.1f} ({their_peak / 1e6:.1f})",
               "ratio": f"{theirs / mine:.1f}x"}, (f"< 50 MB: {'yes' if mine < 50e6 else 'no'}", lambda o, _: o < 50e6), mine)


def markdown(rows, machine):
    """The table for README.md, and why aims are missed that are."""
    lines = ["`scripts/bench metadata` compares the metadata tools with a C# program (Release) that uses System.Reflection.Metadata, "
             f"alternating in one run ({machine}). Medians in ms as a client sees them, CPU time in parentheses; *fresh process* is from process start to the "
             "first answer, *first query* excludes startup (for C#, that of the runtime), *repeated query* is the same query again.", "",
             "| | clrbridge | System.Reflection.Metadata | faster | target: met |", "|---|---|---|---|---|"]
    for row in rows:
        lines.append(f"| {row['what']} | {row['clrbridge']} | {row['raw']} | {row['ratio']} | {row.get('aim', '')} |")
    missed = [row["key"] for row in rows if row.get("met") is False]
    reasons = [reason for begin, reason in REASONS.items() if any(key.startswith(begin) for key in missed)]
    return "\n".join(lines + (["", "Why targets are missed: " + " ".join(reasons)] if reasons else []))
