"""A debug session through the Python SDK. Prints what came of it as one JSON object.

Usage: python.py legacy|modern PROGRAM stdio COMMAND...
       python.py legacy|modern PROGRAM http URL TOKEN
"""

import json
import os
import sys
from typing import Any, Literal

import anyio
import httpx2
import mcp_types as types
from mcp.client.client import Client
from mcp.client.extension import ClientExtension, ResultClaim
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

LIMIT = 120
CURRENT = "debug://session/current"
facts: dict[str, Any] = {}


class Created(types.Result):
    model_config = {"extra": "allow"}
    result_type: Literal["task"] = "task"


class Poll(types.Request[dict, str]):
    name_param = "taskId"


class Polled(types.Result):
    model_config = {"extra": "allow"}


class Tasks(ClientExtension):
    """What a client that takes tasks does: it asks until one is done. Here it first sets what ends the wait."""

    identifier = "io.modelcontextprotocol/tasks"

    def claims(self):
        return [ResultClaim(result_type="task", model=Created, resolve=self.resolve)]

    async def resolve(self, created, context):
        id = fields(created)["taskId"]

        async def poll():
            request = Poll(method="tasks/get", params={"taskId": id})
            return fields(await context.session.send_request(request, Polled))

        facts["task"] = [(await poll())["status"]]
        await set_breakpoint(context.session)
        while (task := await poll())["status"] == "working":
            await anyio.sleep(0.05)
        facts["task"].append(task["status"])
        return types.CallToolResult.model_validate(task["result"])


def fields(result):
    return result.model_dump(by_alias=True, mode="json", exclude_none=True)


async def set_breakpoint(client):
    await client.call_tool("breakpoint_set", {"file": "Program.cs", "text": "BP:between-ticks"})


async def complete(client, prompt, argument, value):
    reference = types.PromptReference(type="ref/prompt", name=prompt)
    return (await client.complete(reference, {"name": argument, "value": value})).completion.values


async def drive(client, program, modern, updates):
    facts["version"] = client.protocol_version
    facts["tools"] = [tool.name for tool in (await client.list_tools()).tools]
    facts["prompts"] = [prompt.name for prompt in (await client.list_prompts()).prompts]
    facts["prompt"] = (await client.get_prompt("find_hang", {"session_id": "s7"})).messages[0].content.text
    facts["resources"] = [str(it.uri) for it in (await client.list_resources()).resources]
    facts["templates"] = [it.uri_template for it in (await client.list_resource_templates()).resource_templates]

    launch = {"program": program, "args": ["ticks"], "build": "never", "timeout_ms": 0}
    facts["launched"] = (await client.call_tool("debug_launch", launch)).structured_content["outcome"]
    if not modern:
        await set_breakpoint(client)
    facts["stop"] = (await client.call_tool("breakpoint_wait", {"timeout_ms": 60_000})).structured_content

    facts["complete"] = {
        "type": await complete(client, "find_leak", "type", "Traps.Tr"),
        "file": await complete(client, "find_bug_source", "file", "Prog"),
        "breakpoint_id": await complete(client, "explain_breakpoint", "breakpoint_id", ""),
        "session_id": await complete(client, "find_hang", "session_id", ""),
    }
    failed = await client.call_tool("evaluate", {"expression": "unknown"})
    facts["failed"] = [failed.is_error, failed.structured_content["code"]]
    facts["locals"] = json.loads((await client.read_resource("debug://locals")).contents[0].text)["locals"]

    await client.call_tool("breakpoint_remove", {"all": True})

    async def go_on():
        await client.call_tool("debug_continue", {"timeout_ms": 0})

    if modern:
        async with client.listen(resource_subscriptions=[CURRENT]) as events:
            await go_on()
            async for event in events:
                facts["updated"] = str(event.uri)
                break
    else:
        await client.subscribe_resource(CURRENT)
        await go_on()
        facts["updated"] = await updates.receive()
        await client.unsubscribe_resource(CURRENT)
    facts["state"] = json.loads((await client.read_resource(CURRENT)).contents[0].text)["state"]
    await client.call_tool("debug_disconnect", {})


async def main():
    era, program, way, *rest = sys.argv[1:]
    modern = era == "modern"
    tell, updates = anyio.create_memory_object_stream(100)

    async def hear(message):
        params = getattr(getattr(message, "root", message), "params", None)
        if (uri := getattr(params, "uri", None)) is not None:
            await tell.send(str(uri))

    if way == "http":
        url, token = rest
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=LIMIT)
        server = streamable_http_client(url, http_client=http)
    else:
        server = StdioServerParameters(command=rest[0], args=rest[1:], env=dict(os.environ))
    options = {"mode": "2026-07-28", "extensions": [Tasks()]} if modern else {"mode": "legacy"}
    with anyio.fail_after(LIMIT):
        async with Client(server, message_handler=hear, **options) as client:
            await drive(client, program, modern, updates)
    print(json.dumps(facts))


anyio.run(main)
