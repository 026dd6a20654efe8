// A debug session through the TypeScript SDK. Prints what came of it as one JSON object.
//
// Usage: node typescript.mjs FOLDER PROGRAM stdio COMMAND...
//        node typescript.mjs FOLDER PROGRAM http URL TOKEN
// FOLDER: where npm installed @modelcontextprotocol/sdk.
import { createRequire } from "node:module";
import path from "node:path";

const [folder, program, way, ...rest] = process.argv.slice(2);
const require = createRequire(path.join(folder, "here.js"));
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { ResourceUpdatedNotificationSchema } = require("@modelcontextprotocol/sdk/types.js");

const LIMIT = 120_000;
const CURRENT = "debug://session/current";
const facts = {};

const limit = setTimeout(() => { console.error("too slow"); process.exit(1); }, LIMIT);
const client = new Client({ name: "typescript-sdk", version: "1" }, { capabilities: {} });
const updated = new Promise((resolve) => {
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, (notification) => resolve(notification.params.uri));
});
const transport = way === "http"
  ? new StreamableHTTPClientTransport(new URL(rest[0]), { requestInit: { headers: { Authorization: `Bearer ${rest[1]}` } } })
  : new StdioClientTransport({ command: rest[0], args: rest.slice(1), env: process.env, stderr: "ignore" });
await client.connect(transport);

const call = (name, given = {}) => client.callTool({ name, arguments: given });
const complete = async (prompt, name, value) =>
  (await client.complete({ ref: { type: "ref/prompt", name: prompt }, argument: { name, value } })).completion.values;
const read = async (uri) => JSON.parse((await client.readResource({ uri })).contents[0].text);

facts.version = transport.protocolVersion ?? null;
facts.tools = (await client.listTools()).tools.map((it) => it.name);
facts.prompts = (await client.listPrompts()).prompts.map((it) => it.name);
facts.prompt = (await client.getPrompt({ name: "find_hang", arguments: { session_id: "s7" } })).messages[0].content.text;
facts.resources = (await client.listResources()).resources.map((it) => it.uri);
facts.templates = (await client.listResourceTemplates()).resourceTemplates.map((it) => it.uriTemplate);

const launch = { program, args: ["ticks"], build: "never", timeout_ms: 0 };
facts.launched = (await call("debug_launch", launch)).structuredContent.outcome;
await call("breakpoint_set", { file: "Program.cs", text: "BP:between-ticks" });
facts.stop = (await call("breakpoint_wait", { timeout_ms: 60_000 })).structuredContent;
facts.complete = {
  type: await complete("find_leak", "type", "Traps.Tr"),
  file: await complete("find_bug_source", "file", "Prog"),
  breakpoint_id: await complete("explain_breakpoint", "breakpoint_id", ""),
  session_id: await complete("find_hang", "session_id", ""),
};
const failed = await call("evaluate", { expression: "unknown" });
facts.failed = [failed.isError, failed.structuredContent.code];
facts.locals = (await read("debug://locals")).locals;
await call("breakpoint_remove", { all: true });
await client.subscribeResource({ uri: CURRENT });
await call("debug_continue", { timeout_ms: 0 });
facts.updated = await updated;
await client.unsubscribeResource({ uri: CURRENT });
facts.state = (await read(CURRENT)).state;
await call("debug_disconnect");
await client.close();
clearTimeout(limit);
console.log(JSON.stringify(facts));
