// The least that speaks ACP: says on a socket when a prompt or a cancel has arrived, and ends a turn at once, unless the
// prompt says to stay in it.
import { connect } from "node:net";
import { createInterface } from "node:readline";

const [socketPath] = process.argv.slice(2);
const bell = socketPath === undefined ? undefined : connect(socketPath);
/** @type {number | undefined} */
let open;

/** @param {unknown} message */
const say = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", .../** @type {object} */ (message) })}\n`);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  switch (method) {
    case "initialize":
      say({
        id,
        result: { protocolVersion: params.protocolVersion, agentCapabilities: {}, authMethods: [] },
      });
      return;
    case "session/new":
      say({ id, result: { sessionId: "bench" } });
      return;
    case "session/prompt": {
      bell?.write("p");
      const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "ok" } };
      say({ method: "session/update", params: { sessionId: "bench", update } });
      if (params.prompt[0].text === "stay") open = id;
      else say({ id, result: { stopReason: "end_turn" } });
      return;
    }
    case "session/cancel":
      bell?.write("c");
      if (open !== undefined) say({ id: open, result: { stopReason: "cancelled" } });
      open = undefined;
      return;
    default:
      if (id !== undefined) say({ id, result: {} });
  }
});
process.stdin.on("end", () => process.exit(0));
