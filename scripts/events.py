"""scripts/bench events: the event log, the dashboard and HTTP, measured from outside.

  events       1,000,000 lines of output through the event log: a page of events by number, and one by type and stream; memory
  page         stops a second with an open dashboard and without; how late the page hears of the last one; memory
  http         a call over HTTP beside the same call over stdio, in turns
  idle         memory of a server that listens on HTTP and does nothing
"""

import http.client
import json
import os
import re
import subprocess
import threading
import time

from clients import Failed, pss, structured

TOKEN = "a-token-of-the-benchmark"


class Served:
    """clrbridge serve, and a client of it that keeps its connection."""

    def __init__(self, binary, adapter=None):
        backend = ("--backend", adapter) if adapter else ()
        command = [str(binary), *backend, "serve", "--http", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, env={**os.environ, "CLRBRIDGE_TOKEN": TOKEN}, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        found = re.search(r"http://([^/]+)/mcp", self.process.stderr.readline())
        if not found:
            raise Failed("clrbridge serve does not say where it listens")
        self.connection = http.client.HTTPConnection(found.group(1), timeout=60)
        self.head = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json",
                     "Accept": "application/json, text/event-stream"}
        self.last = 0

    def initialize(self):
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "bench", "version": "1"}})
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def request(self, method, params):
        self.last += 1
        text = self._post({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        lines = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")] or [text]
        found = [message for message in map(json.loads, filter(None, lines)) if message.get("id") == self.last]
        return found[0]["result"]

    def call(self, tool, **arguments):
        return structured(self.request("tools/call", {"name": tool, "arguments": arguments}))

    def _post(self, message):
        self.connection.request("POST", "/mcp", json.dumps(message), self.head)
        answer = self.connection.getresponse()
        self.head.update({"Mcp-Session-Id": answer.headers["Mcp-Session-Id"]} if answer.headers["Mcp-Session-Id"] else {})
        return answer.read().decode()

    def close(self):
        self.connection.close()
        self.process.terminate()
        self.process.wait(10)


class Page:
    """An open dashboard: it hears of changes and asks for the page again, as the script in it does."""

    def __init__(self, address):
        host, token = re.match(r"http://([^/]+)/\?token=(\S+)", address).groups()
        self.asking, self.hearing = (http.client.HTTPConnection(host, timeout=60) for _ in range(2))
        self.asking.request("GET", f"/?token={token}")
        answer = self.asking.getresponse()
        answer.read()
        self.head = {"Cookie": answer.headers["Set-Cookie"].split(";")[0]}
        self.seen, self.bytes, self.is_open = {}, 0, True
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self):
        try:
            self.hearing.request("GET", "/events", headers=self.head)
            stream = self.hearing.getresponse()
            while self.is_open and (line := stream.readline()):
                if line.startswith(b"event: change"):
                    self.asking.request("GET", "/", headers=self.head)
                    text = self.asking.getresponse().read().decode()
                    self.bytes += len(text)
                    shown = re.search(r"Stop \d+ of (\d+)", text)
                    if shown:
                        self.seen.setdefault(int(shown.group(1)), time.perf_counter())
        except OSError:
            pass  # the server ended

    def close(self):
        self.is_open = False


def run(bench, adapter, program):
    log(bench, adapter, program)
    page(bench, adapter, program)
    over_http(bench)
    idle(bench)


def log(bench, adapter, program):
    lines = 1_000_000 if not bench.quick else 100_000
    mcp = bench.server(adapter)
    report = mcp.call("debug_launch", program=str(program.dll), args=["lines", str(lines)], build="never", timeout_ms=600_000)
    if report.get("outcome") != "exited":
        raise Failed(f"the program does not end: {report}")
    latest = mcp.call("debug_query_events", limit=1)["latest_seq"]
    for key, label, arguments in (("seq", "a page of 50 events by number", {"since_seq": max(0, latest - 60)}),
                                  ("type", "events of one stream and type", {"stream": "execution", "event_type": "exited"})):
        samples = timed(bench.rounds(300), lambda arguments=arguments: mcp.call("debug_query_events", **arguments))
        bench.latency(f"events.{key}", f"{label}, after {lines:,} lines", samples, aim=("< 1 ms", lambda mine, _: mine < 1))
    memory = pss(mcp.pid)
    bench.add({"key": "events.memory", "what": f"memory after {lines:,} lines, PSS", "clrbridge": f"{memory / 1e6:.1f} MB"},
              ("<= 40 MB", lambda mine, _: mine <= 40e6), memory)
    mcp.close()


def page(bench, adapter, program):
    stops = bench.rounds(3000)
    rates = {}
    for key, flags in (("without", ()), ("with", ("--dashboard",))):
        mcp = bench.server(adapter, *flags)
        first = mcp.call("debug_launch", program=str(program.dll), args=["steps", "100000000"], build="never",
                         breakpoints=[{"file": str(program.source), "line": program.line("steps")}])
        open_page = Page(re.search(r"http://\S+", first["note"]).group()) if flags else None
        began = time.perf_counter()
        for _ in range(stops):
            mcp.call("debug_step", mode="over")
        ended = time.perf_counter()
        rates[key] = stops / (ended - began)
        if open_page:
            late = heard(open_page, ended)
            bench.add({"key": "page.late", "what": f"the page shows the last of {stops:,} stops, after it", "clrbridge": f"{late:.0f} ms"},
                      ("<= 1000 ms", lambda mine, _: mine <= 1000), late)
            memory = pss(mcp.pid)
            bench.add({"key": "page.memory", "what": f"memory then, PSS; {open_page.bytes / 1e6:.1f} MB of pages",
                       "clrbridge": f"{memory / 1e6:.1f} MB"})
            open_page.close()
        mcp.close()
    bench.add({"key": "page.rate", "what": "stops a second with an open page (without)",
               "clrbridge": f"{rates['with']:,.0f}", "raw": f"{rates['without']:,.0f}", "ratio": f"{rates['with'] / rates['without']:.2f}"})


def heard(open_page, ended):
    """How long after the last stop the page showed the most stops that it ever did; at most 3 s."""
    while time.perf_counter() < ended + 3:
        time.sleep(0.05)
    return max(0.0, (max(open_page.seen.values(), default=ended + 3) - ended) * 1000)


def over_http(bench):
    served, mcp = Served(bench.binary).initialize(), bench.server()
    ours, beside = [], []
    for _ in range(bench.rounds(1000)):
        for client, taken in ((served, ours), (mcp, beside)):
            taken += timed(1, lambda client=client: client.call("debug_state"))
    bench.latency("http.call", "a call over HTTP, beside stdio", ours, ("stdio", beside),
                  aim=("<= +0.3 ms", lambda mine, base: mine <= base + 0.3))
    served.close()
    mcp.close()


def idle(bench):
    served = Served(bench.binary)
    served.connection.request("GET", "/healthz")
    served.connection.getresponse().read()
    memory = pss(served.process.pid)
    bench.add({"key": "http.idle", "what": "memory of an idle server on HTTP, PSS", "clrbridge": f"{memory / 1e6:.1f} MB"},
              ("<= 14 MB", lambda mine, _: mine <= 14e6), memory)
    served.close()


def timed(rounds, action):
    samples = []
    for _ in range(rounds):
        begun = time.perf_counter()
        action()
        samples.append((time.perf_counter() - begun) * 1000)
    return samples
