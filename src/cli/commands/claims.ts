import { Option } from "commander";
import type { ClaimList } from "../../client/hub-client.js";
import { formatSpan, parseDuration, relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import type { Output } from "../output.js";
import { renderTable } from "../table.js";

type Claims = ClaimList["claims"];

const HEADER = ["TASK", "OWNER", "SINCE", "ENDS IN", "NOTE"];
const PAGE = 500;

export const define: DefineCommand = (command, act) => {
  command
    .addHelpText("after", "\nWithout arguments it lists who has claimed what.")
    .action(() => act((cli) => list(cli)));
  command
    .command("claim")
    .description("claim a task, or renew your claim")
    .argument("<task>", "the task, in words that others would use")
    .addOption(
      new Option("--for <time>", "how long, unless renewed, such as 2h")
        .argParser(parseDuration)
        .conflicts("tell"),
    )
    .option("--tell <address>", "and tell an agent of another hub, such as bob@mini")
    .action((task: string, options: { for?: number; tell?: string }) =>
      act((cli) =>
        options.tell === undefined
          ? decide(cli, {
              task,
              action: "claim",
              ...(options.for === undefined ? {} : { lease_seconds: options.for / 1000 }),
            })
          : tell(cli, options.tell, { task, action: "claim" }),
      ),
    );
  command
    .command("release")
    .description("release a task that you claimed")
    .argument("<task>", "the task")
    .option(
      "--tell <address>",
      "and tell an agent of another hub; whoever was told of the claim hears it anyway",
    )
    .action((task: string, options: { tell?: string }) =>
      act((cli) =>
        options.tell === undefined
          ? decide(cli, { task, action: "release" })
          : tell(cli, options.tell, { task, action: "release" }),
      ),
    );
};

async function list(cli: CliContext): Promise<void> {
  const client = await cli.client();
  const claims: Claims = [];
  let cursor: string | null = null;
  do {
    const page: ClaimList = await client.claims({ limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    claims.push(...page.claims);
    cursor = page.next;
  } while (cursor !== null);
  cli.output.result({ claims }, () =>
    claims.length === 0 ? "Nobody has claimed a task." : render(claims, cli.io.now(), cli.output),
  );
}

function render(claims: Claims, now: number, { colors, width }: Output): string {
  return renderTable(
    HEADER.map((text) => ({ text, paint: colors.dim })),
    claims.map((claim) => [
      { text: escapeLine(claim.task), paint: colors.bold },
      escapeLine(claim.owner),
      relativeTime(Date.parse(claim.since), now),
      formatSpan(claim.expires_in_seconds * 1000),
      noteOf(claim),
    ]),
    width,
  );
}

function noteOf({ hub, behind }: Claims[number]): string {
  const parts = [
    ...(hub === undefined ? [] : [`on ${escapeLine(hub)}`]),
    ...(behind === undefined ? [] : [`${escapeLine(behind)} was first`]),
  ];
  return parts.join("; ");
}

type Decision = { task: string; action: "claim" | "release"; lease_seconds?: number };

async function tell(cli: CliContext, to: string, decision: Decision): Promise<void> {
  const client = await cli.client();
  const sent = await client.send(to, { type: "coordination", ...decision });
  const task = escapeLine(decision.task);
  cli.output.result(sent, () => {
    if (sent.claimed === false || sent.released === false)
      return `${escapeLine(sent.owner ?? "Nobody")} has "${task}"; ${escapeLine(sent.target)} is told so.`;
    const what = decision.action === "claim" ? "is yours" : "is free";
    return `${cli.output.colors.green("✓")} "${task}" ${what}, and ${escapeLine(sent.target)} is told`;
  });
}

async function decide(cli: CliContext, decision: Decision): Promise<void> {
  const client = await cli.client();
  const { ok, owner, peers = [] } = await client.claimWork(decision);
  const task = escapeLine(decision.task);
  cli.output.result({ ok, owner, ...(peers.length === 0 ? {} : { peers }) }, () => {
    if (!ok) return `${escapeLine(owner ?? "Nobody")} has "${task}".`;
    const what = decision.action === "claim" ? "is yours" : "is free";
    const too = peers.map(
      (peer) => `\n  ${escapeLine(peer.owner)} is on it too${peer.first ? ", and was first" : ""}`,
    );
    return `${cli.output.colors.green("✓")} "${task}" ${what}${too.join("")}`;
  });
}
