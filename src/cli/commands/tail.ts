import type { EventFrame } from "../../client/event-stream.js";
import { HUMAN_ID, HUMAN_NAME } from "../../model/agent.js";
import { messageTypes } from "../../model/message.js";
import { nearest } from "../../model/nearest.js";
import { agentPaints } from "../agent-paint.js";
import { readMoment } from "../amounts.js";
import { ringBell } from "../announce.js";
import type { CliContext, DefineCommand } from "../context.js";
import { EXIT_INTERRUPTED, EXIT_OK } from "../exit-codes.js";
import { findAgent } from "../find-agent.js";
import { followLiveOutput } from "../follow-live-output.js";
import { reportState } from "../report-state.js";
import { stopAfter } from "../stop-after.js";
import { usageError } from "../usage-error.js";

type TailOptions = { type?: string; since?: string; live?: true };
type Filter = (frame: EventFrame) => boolean;

/** Of interest when asked for, noise beside the messages themselves: steps of a delivery, and what a message says as well. */
const quietTypes: ReadonlySet<string> = new Set([
  "MessagesOffered",
  "MessagesSeen",
  "MessageReleased",
  "NameReleased",
  "RequestOpened",
  "RequestNudged",
  "SessionChanged",
]);

export const define: DefineCommand = (command, act) => {
  command
    .argument("[agent]", "only what concerns this agent")
    .option("--type <type>", "only this type of event (MessageAccepted) or message (request)")
    .option("--since <time>", "begin this long ago, such as 10m, or at an ISO time")
    .option("--live", "what agents that the hub runs say and do while they work, word by word")
    .addHelpText(
      "after",
      "\nWith --json: one event (or, with --live, one frame) per line, every type of them. With --timeout it ends after that time.",
    )
    .action((agent: string | undefined, options: TailOptions) =>
      act((cli) => (options.live === true ? tailLive(cli, agent, options) : tail(cli, agent, options))),
    );
};

async function tailLive(cli: CliContext, agent: string | undefined, options: TailOptions): Promise<number> {
  if (options.type !== undefined || options.since !== undefined) {
    throw usageError(
      "--live shows what happens now",
      "Leave out --type and --since; huddle log finds turns that have ended",
    );
  }
  return followLiveOutput(cli, agent === undefined ? undefined : await findAgent(await cli.client(), agent));
}

async function tail(cli: CliContext, agent: string | undefined, options: TailOptions): Promise<number> {
  const [
    { followEvents },
    { nodeSocket },
    { locateHub },
    { agentNames },
    { renderEvent },
    { listAllAgents },
    { agentsIn },
  ] = await Promise.all([
    import("../../client/event-stream.js"),
    import("../../client/node-socket.js"),
    import("../../client/connect.js"),
    import("../agent-names.js"),
    import("../render-event.js"),
    import("../agent-names.js"),
    import("../agent-names.js"),
  ]);
  const { io, output, globals } = cli;
  const since = options.since === undefined ? undefined : readMoment("--since", options.since, io.now());
  const wanted = options.type === undefined ? undefined : await typeFilter(options.type);
  const { signal, isTimeUp, end } = stopAfter(cli);
  const began = io.now();
  const paintName = agentPaints(output.colors);
  const client = await cli.client();
  const id =
    agent === undefined
      ? undefined
      : agent === HUMAN_NAME
        ? HUMAN_ID
        : (await client.showAgent(await findAgent(client, agent))).id;
  const names = agentNames(output.json ? [] : await listAllAgents(client));
  const stream = followEvents({
    open: nodeSocket(() => locateHub({ env: io.env, home: io.home, hub: globals.hub })),
    since,
    onState: reportState(output),
    signal,
  });
  for await (const frame of stream) {
    names.learn(frame);
    if (id !== undefined && !agentsIn(frame).has(id)) continue;
    if (wanted === undefined ? !output.json && quietTypes.has(frame.type) : !wanted(frame)) continue;
    output.result(frame, () => renderEvent(frame, names, { ...output, paintName }));
    if (frame.type === "PermissionRequested" && Date.parse(frame.at) >= began) ringBell(cli);
    await output.drained();
  }
  end();
  return isTimeUp() ? EXIT_OK : EXIT_INTERRUPTED;
}

async function typeFilter(wanted: string): Promise<Filter> {
  const { readEvent, shownTypes } = await import("../../contract/events/events.js");
  const eventType = shownTypes.find((type) => type.toLowerCase() === wanted.toLowerCase());
  if (eventType !== undefined) return (frame) => frame.type === eventType;
  const messageType = messageTypes.find((type) => type === wanted);
  if (messageType === undefined) {
    const all = [...shownTypes, ...messageTypes];
    const meant = nearest(wanted, all);
    throw usageError(
      `There is no type "${wanted}"${meant === undefined ? "" : `. Did you mean ${meant}?`}`,
      `Known: ${all.join(", ")}`,
    );
  }
  return (frame) => {
    const event = readEvent(frame);
    return event?.type === "MessageAccepted" && event.data.message.type === messageType;
  };
}
