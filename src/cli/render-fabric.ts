import type { FabricStatus } from "../client/hub-client.js";
import { relativeTime, shortSpan } from "./amounts.js";
import type { CliContext } from "./context.js";
import { escapeLine } from "./escape-text.js";
import { renderTable } from "./table.js";

type Joined = NonNullable<FabricStatus["joined"]>;

const HEADER = ["HUB", "PRESENT", "LAST ACK", "WAITING", "OLDEST", "ID"];

/** A hub's place on the fabric; first what is wrong with it, and what to do. */
export function renderFabric(joined: Joined, { output, io }: CliContext): string {
  const { colors, width } = output;
  const now = io.now();
  const ago = (time: string | null) => (time === null ? "–" : relativeTime(Date.parse(time), now));
  const { mailbox, contacts, warning } = joined;
  const mark =
    joined.connection !== "connected"
      ? colors.red("✗")
      : joined.problem === null
        ? colors.green("✓")
        : colors.yellow("!");
  const next = nextStep(joined);
  const lines = [
    `${mark} On the fabric ${escapeLine(joined.fabric)}${joined.steward ? " as a steward" : ""}: ${sayState(joined, now)}`,
    ...(next === undefined ? [] : [`  ${next}`]),
    ...(warning === null
      ? []
      : [`${colors.yellow("!")} ${escapeLine(warning.text)}`, `  Renew it: ${escapeLine(warning.fix)}`]),
    `  Server: ${joined.servers.map(escapeLine).join(", ")}`,
    `  This hub: ${joined.hub_id}, admitted until ${joined.expires.slice(0, 10)}`,
    `  Mailbox: ${mailbox === null ? "unknown" : mailbox === 0 ? "empty" : `${mailbox} waiting`}`,
  ];
  if (contacts.length === 0) return [...lines, "  No other hubs yet."].join("\n");
  const rows = contacts.map((one) => [
    { text: escapeLine(one.name), paint: colors.bold },
    one.present === "yes" ? { text: "yes", paint: colors.green } : one.present === "no" ? "no" : "unknown",
    ago(one.last_ack),
    String(one.waiting),
    ago(one.oldest_waiting),
    one.hub_id,
  ]);
  const head = HEADER.map((text) => ({ text, paint: colors.dim }));
  return [...lines, renderTable(head, rows, width)].join("\n");
}

function sayState({ connection, since, problem }: Joined, now: number): string {
  const said = problem === null ? "" : escapeLine(problem);
  if (connection === "connected") {
    const state = `connected ${since === null ? "" : relativeTime(Date.parse(since), now)}`.trimEnd();
    return said === "" ? state : `${state}, but ${said}`;
  }
  const span = since === null ? "" : ` for ${shortSpan(now - Date.parse(since))}`;
  return `not connected${span}${said === "" ? "" : `: ${said}`}`;
}

function nextStep({ connection, problem, warning }: Joined): string | undefined {
  switch (connection) {
    case "connected":
      return problem === null ? undefined : "Mail waits in the hubs, and goes on by itself afterwards.";
    case "away":
      return "Mail waits in this hub, which tries again by itself. Check this machine's network, and that the server runs: huddle fabric up, where it is.";
    case "refused":
      return warning === null ? "Mail waits in this hub, which tries again by itself." : undefined;
    case "twin":
      return undefined;
  }
}
