"""What scripts/bench and scripts/soak share: an MCP client, a DAP client, the held start of .NET, facts of processes.

Python 3 standard library, Linux. Both clients work on the caller's thread, without queues or locks, so that what is
measured with them is the other side.
"""

import ctypes
import glob
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
ADAPTERS = ("netcoredbg", "dncdbg", "builtin")


class Failed(Exception):
    """The other side did not do what it was asked, or not in time."""


# ---- byte streams ----------------------------------------------------------------------------------------------------


class Stream:
    """Reads of a pipe with a deadline."""

    def __init__(self, file):
        self.fd, self.buffer, self.count = file.fileno(), bytearray(), 0

    def fill(self, deadline):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([self.fd], [], [], left)[0]:
            raise Failed("no answer in time")
        data = os.read(self.fd, 1 << 16)
        if not data:
            raise Failed("the other side closed its output")
        self.count += len(data)
        self.buffer += data

    def line(self, deadline):
        scanned = 0
        while (at := self.buffer.find(b"\n", scanned)) < 0:
            scanned = len(self.buffer)
            self.fill(deadline)
        line = bytes(self.buffer[:at])
        del self.buffer[: at + 1]
        return line

    def exactly(self, size, deadline):
        while len(self.buffer) < size:
            self.fill(deadline)
        data = bytes(self.buffer[:size])
        del self.buffer[:size]
        return data


# ---- MCP -------------------------------------------------------------------------------------------------------------


class Mcp:
    """A client of `clrbridge` over its stdio, as an agent's host is one."""

    def __init__(self, binary, *flags, env=None, client="bench", stderr=subprocess.DEVNULL):
        self.proc = subprocess.Popen([str(binary), *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
                                     env=env)
        self.stream, self.next_id, self.client = Stream(self.proc.stdout), 0, client
        self.pid = self.proc.pid

    def send(self, method, params=None):
        self.next_id += 1
        self._write({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params or {}})
        return self.next_id

    def notify(self, method, params=None):
        self._write({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def _write(self, message):
        try:
            os.write(self.proc.stdin.fileno(), json.dumps(message).encode() + b"\n")
        except (OSError, ValueError) as error:
            raise Failed(f"cannot write: {error}") from error

    def answer(self, id, timeout=60):
        """The whole answer to a request, and the bytes it had."""
        deadline = time.monotonic() + timeout
        while True:
            line = self.stream.line(deadline)
            message = json.loads(line)
            if message.get("id") == id and "method" not in message:
                if "error" in message:
                    raise Failed(f"{message['error']}")
                return message["result"], line

    def request(self, method, params=None, timeout=60):
        return self.answer(self.send(method, params), timeout)[0]

    def initialize(self):
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": self.client, "version": "1"}})
        self.notify("notifications/initialized")
        return self

    def start_call(self, tool, **arguments):
        return self.send("tools/call", {"name": tool, "arguments": arguments})

    def call(self, tool, **arguments):
        """The structured result of a tool; an error is a Failed."""
        return structured(self.answer(self.start_call(tool, **arguments))[0])

    def close(self, timeout=10):
        """Ends the server as hosts do, by EOF. Gives its exit code."""
        try:
            self.proc.stdin.close()
        except OSError:
            pass
        try:
            return self.proc.wait(timeout)
        except subprocess.TimeoutExpired as error:
            self.proc.kill()
            self.proc.wait()
            raise Failed("the server did not end on EOF") from error
        finally:
            self.proc.stdout.close()


def structured(result):
    content = result.get("structuredContent")
    if result.get("isError"):
        raise Failed(f"{(content or {}).get('code')}: {content or result['content']}")
    return content


# ---- DAP -------------------------------------------------------------------------------------------------------------


class Dap:
    """A plain client of a debug adapter: what an own script would be without clrbridge."""

    def __init__(self, adapter, cwd=None):
        self.proc = subprocess.Popen(adapter_command(adapter), stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=cwd)
        self.stream, self.seq, self.answers, self.events = Stream(self.proc.stdout), 0, {}, []
        self.pid, self.output = self.proc.pid, 0

    def send(self, command, **arguments):
        self.seq += 1
        data = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments}).encode()
        os.write(self.proc.stdin.fileno(), b"Content-Length: %d\r\n\r\n" % len(data) + data)
        return self.seq

    def read(self, deadline):
        size = None
        while header := self.stream.line(deadline).strip():
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        message = json.loads(self.stream.exactly(size, deadline))
        if message["type"] == "response":
            self.answers[message["request_seq"]] = message
        elif message.get("event") == "output":
            self.output += len(message["body"]["output"].encode())
        else:
            self.events.append(message)

    def answer(self, seq, timeout=60):
        deadline = time.monotonic() + timeout
        while seq not in self.answers:
            self.read(deadline)
        message = self.answers.pop(seq)
        if not message["success"]:
            raise Failed(f"{message['command']}: {message.get('message') or message.get('body')}")
        return message.get("body") or {}

    def request(self, command, **arguments):
        return self.answer(self.send(command, **arguments))

    def event(self, *names, timeout=60):
        """The next event of these names; the others before it are dropped."""
        deadline = time.monotonic() + timeout
        while True:
            while self.events:
                event = self.events.pop(0)
                if event["event"] in names:
                    return event.get("body") or {}
            self.read(deadline)

    def resume(self, command, thread):
        """Until the next stop: gives its thread."""
        seq = self.send(command, threadId=thread)
        stopped = self.event("stopped", "terminated")
        self.answer(seq)
        return stopped["threadId"]

    def initialize(self):
        self.request("initialize", adapterID="coreclr", clientID="bench", linesStartAt1=True, columnsStartAt1=True,
                     pathFormat="path", supportsVariableType=True)

    def configure(self, source, lines):
        # pipelined, as a good client does
        seqs = [self.send("setBreakpoints", source={"path": str(source)}, breakpoints=[{"line": n} for n in lines])] \
            if lines else []
        seqs.append(self.send("configurationDone"))
        for seq in seqs:
            self.answer(seq)

    def launch(self, program, args, source, lines):
        """The adapter's own launch, up to the first stop: gives its thread."""
        self.initialize()
        launch = self.send("launch", program=str(program), args=args, cwd=str(program.parent), stopAtEntry=False,
                           justMyCode=True)
        self.event("initialized")
        self.configure(source, lines)
        self.answer(launch)
        return self.event("stopped")["threadId"] if lines else None

    def close(self):
        try:
            self.request("disconnect", terminateDebuggee=True)
        except (Failed, OSError):
            pass
        self.proc.stdin.close()
        try:
            self.proc.wait(3)
        except subprocess.TimeoutExpired:
            self.proc.kill()
            self.proc.wait()
        self.proc.stdout.close()


# ---- the held start --------------------------------------------------------------------------------------------------

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.sem_open.restype = ctypes.c_void_p
LIBC.sem_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_uint, ctypes.c_uint]
for _name in ("sem_trywait", "sem_post", "sem_close"):
    getattr(LIBC, _name).argtypes = [ctypes.c_void_p]


class HeldProgram:
    """A .NET program that waits for its debugger before its first instruction (the two start-up semaphores of CoreCLR)."""

    def __init__(self, program, args):
        gate_read, gate_write = os.pipe()
        out_read, out_write = os.pipe()
        argv = [shutil.which("dotnet"), str(program), *args]
        self.pid = os.fork()
        if self.pid == 0:
            try:
                LIBC.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: a held program never ends by itself
                os.read(gate_read, 1)
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(out_write, 1)
                os.dup2(out_write, 2)
                os.execv(argv[0], argv)
            finally:
                os._exit(127)
        os.close(gate_read)
        os.close(out_write)
        self.out = out_read
        suffix = b"%08x%016x" % (self.pid, start_time(self.pid))
        self.names = [b"/clrco" + suffix, b"/clrst" + suffix]
        flags = os.O_CREAT | os.O_EXCL
        self.go_on, self.started = (LIBC.sem_open(name, flags, 0o700, 0) for name in self.names)
        os.write(gate_write, b"x")
        os.close(gate_write)

    def wait_started(self):
        deadline = time.monotonic() + 10
        while LIBC.sem_trywait(self.started) != 0:
            if time.monotonic() > deadline:
                raise Failed("the runtime did not start")
            time.sleep(0.0002)
        for name in self.names:
            LIBC.sem_unlink(name)

    def release(self):
        LIBC.sem_post(self.go_on)

    def close(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)
        os.close(self.out)
        LIBC.sem_close(self.go_on)
        LIBC.sem_close(self.started)


def held_launch(adapter, program, args, source, lines):
    """Up to the first stop, as fast as a script can: gives the client, the program and the thread that stopped."""
    held = HeldProgram(program, args)
    dap = Dap(adapter, cwd=program.parent)
    dap.initialize()
    held.wait_started()
    attach = dap.send("attach", processId=held.pid)
    dap.event("initialized")
    dap.configure(source, lines)
    dap.answer(attach)
    held.release()
    return dap, held, dap.event("stopped")["threadId"]


# ---- programs --------------------------------------------------------------------------------------------------------


class Program:
    """A program that was built for us, with its source's `// BP:name` lines."""

    def __init__(self, folder, configuration):
        self.folder = folder
        self.source = folder / "Program.cs"
        self.dll = next(folder.glob(f"bin/{configuration}/*/{folder.name}.dll"))

    def line(self, name):
        lines = self.source.read_text().splitlines()
        return next(at for at, line in enumerate(lines, 1) if line.rstrip().endswith("BP:" + name))


def build(name, into, configuration="Debug"):
    """Copies a program beside the others in `into` and builds it; what is there already is used as it is."""
    target = pathlib.Path(into) / name
    if not list(target.glob(f"bin/{configuration}/*/{name}.dll")):
        shutil.copytree(HERE / "programs" / name, target, dirs_exist_ok=True)
        env = dict(os.environ, DOTNET_CLI_USE_MSBUILD_SERVER="0", MSBUILDDISABLENODEREUSE="1", DOTNET_NOLOGO="1")
        done = subprocess.run(["dotnet", "build", "-v:q", "-c", configuration, str(target)], env=env, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"cannot build {name}:\n{done.stdout}{done.stderr}")
    return Program(target, configuration)


def binary(given):
    """The release build, or what was asked for."""
    path = pathlib.Path(given) if given else ROOT / "target/release/clrbridge"
    if not path.is_file():
        sys.exit(f"{path} is not there: cargo build --release")
    return path.resolve()


def adapter_command(name):
    """Starts the adapter alone, without clrbridge between."""
    return [str(binary(None)), "adapter"] if name == "builtin" else [shutil.which(name), "--interpreter=vscode"]


def adapters(given):
    wanted = [given] if given else ADAPTERS
    found = [name for name in wanted if name == "builtin" or shutil.which(name)]
    if not found:
        sys.exit("no adapter on PATH: " + ", ".join(wanted))
    return found


def work_folder(given):
    """(folder, whether it is ours to delete)"""
    if given:
        os.makedirs(given, exist_ok=True)
        return pathlib.Path(given).resolve(), False
    return pathlib.Path(tempfile.mkdtemp(prefix="clrbridge-bench-")), True


# ---- processes -------------------------------------------------------------------------------------------------------


def stat(pid):
    """(state, parent, start time); None when it is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = text[text.rindex(")") + 2:].split()
    return fields[0], int(fields[1]), int(fields[19])


def start_time(pid):
    return stat(pid)[2]


def is_alive(pid, started):
    now = stat(pid)
    return now is not None and now[2] == started and now[0] not in "ZX"


def descendants(pid):
    """{pid: (start time, name)} below a process."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (facts := stat(int(entry))):
            parents[int(entry)] = facts
    found, wanted = {}, {pid}
    while True:
        more = {child for child, facts in parents.items() if facts[1] in wanted and child not in found}
        if not more:
            return found
        for child in more:
            found[child] = (parents[child][2], name(child))
        wanted = more


def name(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "?"


def marked(marker):
    """Living processes whose environment holds `marker`: what a server started, wherever its parent went."""
    found = {}
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            if marker.encode() in pathlib.Path(path).read_bytes():
                pid = int(path.split("/")[2])
                if pid != os.getpid() and (facts := stat(pid)) and facts[0] not in "ZX":
                    found[pid] = (facts[2], name(pid))
        except OSError:
            pass
    return found


def pss(pid):
    """Proportional set size, bytes."""
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def peak_rss(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0
