// A scripted agent that speaks real ACP over stdio. What it does is written in its prompts: see directives.mjs.
// Flags: --no-load (cannot resume), --silent (never answers), --no-session (refuses to begin one), --greet-late,
// --replay-late (answers that a session is loaded before it replays it), --slow-start (takes its time to greet),
// --mirror (answers a prompt that tells it nothing with that prompt), --script FILE (see `perform` in directives.mjs).
import { closeSync, readFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import { callMcpTool } from "./call-mcp.mjs";
import { noteEnd, perform } from "./directives.mjs";
import { limitWords } from "./limit.mjs";
import { beginSession, keepSession, loadSession } from "./sessions.mjs";

const args = process.argv.slice(2);
const flags = new Set(args);
const script = flags.has("--script")
  ? JSON.parse(readFileSync(args[args.indexOf("--script") + 1] ?? "", "utf8"))
  : {};
/** @type {Map<string, import("./sessions.mjs").Session>} */
const sessions = new Map();
/** @type {{ command: string, args: string[] } | undefined} */
let server;
/** @type {AbortController | undefined} */
let turn;
let model = "small";
let mode = "default";

if (flags.has("--silent")) setInterval(() => {}, 1000);
if (flags.has("--greet-late")) process.stdout.write("Welcome to the scripted agent!\n{not json\n[1,2]\n\n");

const offers = () => ({
  modes: {
    currentModeId: mode,
    availableModes: [
      { id: "default", name: "Default" },
      { id: "plan", name: "Plan" },
    ],
  },
  configOptions: [
    {
      type: /** @type {const} */ ("select"),
      id: "model",
      name: "Model",
      category: "model",
      currentValue: model,
      options: [
        { value: "small", name: "Small One" },
        { value: "large", name: "Large One" },
      ],
    },
  ],
});

const app = agent({ name: "scripted" })
  .onRequest("initialize", async () => {
    if (flags.has("--slow-start")) await new Promise((done) => setTimeout(done, 1500));
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: { loadSession: !flags.has("--no-load") },
      authMethods: [{ id: "key", name: "An API key" }],
    };
  })
  .onRequest("session/new", ({ params }) => {
    if (flags.has("--no-session")) throw RequestError.authRequired();
    takeServer(params.mcpServers);
    const session = beginSession();
    sessions.set(session.id, session);
    return { sessionId: session.id, ...offers() };
  })
  .onRequest("session/load", async ({ params, client }) => {
    const session = loadSession(params.sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(params.sessionId);
    takeServer(params.mcpServers);
    sessions.set(session.id, session);
    const replay = async () => {
      for (const text of session.prompts) {
        const content = { type: /** @type {const} */ ("text"), text };
        for (const sessionUpdate of /** @type {const} */ (["user_message_chunk", "agent_message_chunk"]))
          await client.notify("session/update", {
            sessionId: session.id,
            update: { sessionUpdate, content },
          });
      }
    };
    if (flags.has("--replay-late")) setTimeout(() => void replay(), 50);
    else await replay();
    return offers();
  })
  .onRequest("session/set_mode", ({ params }) => {
    mode = params.modeId;
    return {};
  })
  .onRequest("session/set_config_option", ({ params }) => {
    model = String(params.value);
    return { configOptions: offers().configOptions };
  })
  .onRequest("session/prompt", async ({ params, client }) => {
    const session = sessions.get(params.sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(params.sessionId);
    const [block] = params.prompt;
    const text = block?.type === "text" ? block.text : "";
    const mine = new AbortController();
    turn = mine;
    const history = [...session.prompts];
    session.prompts.push(text);
    keepSession(session);
    const update = (/** @type {import("@agentclientprotocol/sdk").SessionUpdate} */ change) =>
      client.notify("session/update", { sessionId: session.id, update: change });
    const words = (/** @type {string} */ said) => ({ type: /** @type {const} */ ("text"), text: said });
    if (flags.has("--mirror") && !/![a-z-]+/.test(text))
      await update({ sessionUpdate: "agent_message_chunk", content: words(`I was told: ${text}`) });
    const raw = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);
    await perform(script, text, {
      history,
      cancelled: mine.signal,
      say: (said) => update({ sessionUpdate: "agent_message_chunk", content: words(said) }),
      think: (said) => update({ sessionUpdate: "agent_thought_chunk", content: words(said) }),
      callTool: (name, input) => callMcpTool(server, name, input),
      async askPermission() {
        await update({
          sessionUpdate: "tool_call",
          toolCallId: "call-1",
          title: "Run rm -rf build",
          kind: "execute",
          status: "pending",
          rawInput: { command: "rm -rf build" },
        });
        const { outcome } = await client.request("session/request_permission", {
          sessionId: session.id,
          toolCall: { toolCallId: "call-1" },
          options: [
            { optionId: "yes", name: "Allow", kind: "allow_once" },
            { optionId: "all", name: "Always", kind: "allow_always" },
            { optionId: "no", name: "Reject", kind: "reject_once" },
          ],
        });
        return outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
      },
      own: {
        settings: () =>
          update({ sessionUpdate: "agent_message_chunk", content: words(JSON.stringify({ model, mode })) }),
        async ask(file) {
          // A permission request as the file has it: what ACP knows of a tool call, and its options.
          /** @type {{ options?: import("@agentclientprotocol/sdk").PermissionOption[] }} */
          const asked = JSON.parse(readFileSync(file, "utf8"));
          const { options, ...call } = asked;
          const { outcome } = await client.request("session/request_permission", {
            sessionId: session.id,
            toolCall: { toolCallId: `call-${file}`, ...call },
            options: options ?? [
              { optionId: "yes", name: "Allow", kind: "allow_once" },
              { optionId: "no", name: "Reject", kind: "reject_once" },
            ],
          });
          const answer = outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
          await update({ sessionUpdate: "agent_message_chunk", content: words(`permission: ${answer}`) });
        },
        plan: () =>
          update({
            sessionUpdate: "plan",
            entries: [{ content: "Look", priority: "high", status: "in_progress" }],
          }),
        call: (status) =>
          update({
            sessionUpdate: "tool_call",
            toolCallId: "call-2",
            title: "Read a file",
            kind: "read",
            status: /** @type {"completed"} */ (status),
          }),
        /** A tool call as ACP has it, in JSON. @param {string} call */
        act: (call) => update({ sessionUpdate: "tool_call", ...JSON.parse(call) }),
        usage: (amount) =>
          update({
            sessionUpdate: "usage_update",
            used: 10,
            size: 100,
            cost: { amount: Number(amount), currency: "USD" },
          }),
        /** How full its context is, of 100. @param {string} used */
        full: (used) => update({ sessionUpdate: "usage_update", used: Number(used), size: 100 }),
        async read(path) {
          const answer = await client
            .request("fs/read_text_file", { sessionId: session.id, path })
            .catch((/** @type {unknown} */ error) => ({ content: `refused: ${String(error)}` }));
          await update({ sessionUpdate: "agent_message_chunk", content: words(answer.content) });
        },
        async write(path) {
          const said = await client
            .request("fs/write_text_file", { sessionId: session.id, path, content: "written" })
            .then(() => "ok")
            .catch((/** @type {unknown} */ error) => `refused: ${String(error)}`);
          await update({ sessionUpdate: "agent_message_chunk", content: words(said) });
        },
        noise() {
          raw("Downloading the internet… 100%");
          raw("{broken");
          raw('["an","array"]');
          raw("null");
          raw('{"jsonrpc":"2.0","id":987654,"result":{}}');
          raw('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}');
          raw('{"jsonrpc":"2.0","id":{"odd":1},"method":"session/update"}');
          raw('{"jsonrpc":"2.0","method":"session/update"}');
          raw('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":1}}');
          raw(
            `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${session.id}","update":{"sessionUpdate":"of_the_future","x":1}}}`,
          );
          raw(`{"jsonrpc":"2.0","id":"own-1","method":"terminal/create","params":{}}`);
          raw(`{"jsonrpc":"2.0","id":"own-2","method":"session/request_permission","params":{"options":[]}}`);
        },
        huge: () => void process.stdout.write(Buffer.alloc(40 * 1024 * 1024, "x")),
        "close-output": () => closeSync(1),
        refuse() {
          throw RequestError.internalError({ details: "the model is overloaded" });
        },
        limit(seconds) {
          const words = limitWords(seconds);
          if (words !== undefined) throw RequestError.internalError({ details: words });
        },
        late: () =>
          void setTimeout(
            () => void update({ sessionUpdate: "agent_message_chunk", content: words("late") }),
            50,
          ),
      },
    });
    if (!mine.signal.aborted) noteEnd(text);
    return { stopReason: mine.signal.aborted ? "cancelled" : "end_turn" };
  })
  .onNotification("session/cancel", () => turn?.abort());

/** @param {readonly import("@agentclientprotocol/sdk").McpServer[]} servers */
function takeServer(servers) {
  const [first] = servers;
  server =
    first !== undefined && "command" in first ? { command: first.command, args: first.args } : undefined;
}

if (!flags.has("--silent")) {
  const stream = ndJsonStream(
    Writable.toWeb(process.stdout),
    /** @type {ReadableStream} */ (Readable.toWeb(process.stdin)),
  );
  const connection = app.connect(stream);
  void connection.closed.then(() => {
    if (process.listenerCount("SIGTERM") === 0) process.exit(0);
  });
}
