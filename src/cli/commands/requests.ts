import { Option } from "commander";
import type { HubClient, RequestList } from "../../client/hub-client.js";
import { requestStatuses } from "../../contract/http/requests.js";
import { HubError } from "../../model/errors.js";
import { formatSpan, parseDuration, relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { deskFooter, deskLines } from "../desk/desk-line.js";
import { escapeBlock, escapeLine } from "../escape-text.js";
import { messageText } from "../message-text.js";
import type { Output } from "../output.js";
import { findId, shortId } from "../short-id.js";
import { renderTable, shorten } from "../table.js";

type Request = RequestList["requests"][number];
type Status = Request["status"];

const HEADER = ["REQUEST", "STATUS", "FROM", "CLAIMED BY", "POSTED", "WHAT"];
const PAGE = 100;
const DESCRIPTION_WIDTH = 60;

export const define: DefineCommand = (command, act) => {
  command
    .addOption(new Option("--status <status>", "only those").choices(requestStatuses))
    .addHelpText("after", "\nWithout arguments it lists the newest requests.")
    .action(({ status }: { status?: Status }) => act((cli) => list(cli, status)));
  command
    .command("post")
    .description("ask all agents for help")
    .argument("[text...]", "what needs doing; - or nothing takes it from the pipe")
    .option("--context <text>", "what is known so far")
    .option("--for <time>", "how long it waits to be claimed, such as 10m", parseDuration)
    .option("--hubs <names...>", "ask the agents of these linked hubs too, or of all")
    .action((text: string[], options: PostOptions) => act((cli) => post(cli, text, options)));
  command
    .command("claim")
    .description("claim a request")
    .argument("<id>", "the request, by the end of its id")
    .action((id: string) => act((cli) => claim(cli, id)));
  command
    .command("done")
    .description("answer a request")
    .argument("<id>", "the request, by the end of its id")
    .argument("[text...]", "the answer; - or nothing takes it from the pipe")
    .action((id: string, text: string[]) => act((cli) => done(cli, id, text)));
  command
    .command("nudge")
    .description("remind every agent of a request that nobody has claimed")
    .argument("<id>", "the request, by the end of its id")
    .action((id: string) => act((cli) => nudge(cli, id)));
};

async function list(cli: CliContext, status: Status | undefined): Promise<void> {
  const client = await cli.client();
  const page = await client.requests({ limit: PAGE, ...(status === undefined ? {} : { status }) });
  const footer = await deskFooter(cli, "requests");
  cli.output.result(page, () => {
    if (page.requests.length === 0)
      return status === undefined ? "No requests yet." : `No ${status} requests.`;
    return render(page.requests, cli.io.now(), cli.output) + footer;
  });
  if (page.next !== null) cli.output.note(`These are the newest ${PAGE}.`);
}

function render(requests: readonly Request[], now: number, { colors, width }: Output): string {
  return renderTable(
    HEADER.map((text) => ({ text, paint: colors.dim })),
    requests.map((request) => [
      { text: shortId(request.request_id), paint: colors.bold },
      request.status,
      escapeLine(request.from),
      escapeLine(request.claimed_by ?? "–"),
      relativeTime(Date.parse(request.timestamp), now),
      shorten(escapeLine(request.description.replace(/\s+/g, " ").trim()), DESCRIPTION_WIDTH),
    ]),
    width,
  );
}

type PostOptions = { context?: string; for?: number; hubs?: string[] };

async function post(cli: CliContext, given: readonly string[], options: PostOptions): Promise<void> {
  const description = await messageText(cli, given, "huddle requests post");
  const client = await cli.client();
  const opened = await client.openRequest({
    description,
    ...(options.context === undefined ? {} : { context: options.context }),
    ...(options.for === undefined ? {} : { timeout_seconds: options.for / 1000 }),
    ...(options.hubs === undefined ? {} : { hubs: options.hubs }),
  });
  const where = options.hubs === undefined ? "" : ` here and on ${escapeLine(options.hubs.join(", "))}`;
  const link = (await deskLines(cli))({ page: "requests", id: opened.request_id });
  cli.output.confirm(
    opened,
    () => `${tick(cli)} All agents${where} are asked (${shortId(opened.request_id)})${link}`,
  );
}

async function claim(cli: CliContext, id: string): Promise<void> {
  const client = await cli.client();
  const { claimed, request, code, error } = await client.claimRequest(await meant(client, id));
  if (code !== undefined) throw new HubError(code, error ?? "Its hub could not be asked");
  cli.output.result({ claimed, request }, () => {
    if (!claimed) return `${escapeLine(request.claimed_by ?? "Somebody else")} has it already.`;
    const context = request.context === undefined ? "" : `\n\n${escapeBlock(request.context)}`;
    return `${tick(cli)} It is yours. ${escapeLine(request.from)} asks:\n\n${escapeBlock(request.description)}${context}`;
  });
}

async function done(cli: CliContext, id: string, given: readonly string[]): Promise<void> {
  const message = await messageText(cli, given, "huddle requests done ID");
  const client = await cli.client();
  const answered = await client.answerRequest(await meant(client, id), { message });
  cli.output.confirm(
    answered,
    () =>
      `${tick(cli)} ${escapeLine(answered.request.from)} ${answered.request.hub === undefined ? "has your answer in its inbox" : "gets your answer"}`,
  );
}

async function nudge(cli: CliContext, id: string): Promise<void> {
  const client = await cli.client();
  const { nudged, request } = await client.nudgeRequest(await meant(client, id));
  cli.output.confirm({ nudged, request }, () => {
    if (!nudged)
      return `${escapeLine(request.claimed_by ?? "Somebody")} has it already: nobody was reminded.`;
    const left = formatSpan((request.expires_in_seconds ?? 0) * 1000);
    return `${tick(cli)} All agents are reminded; it waits for another ${left}`;
  });
}

/** By the end of its id, among the newest. */
function meant(client: HubClient, given: string): Promise<string> {
  return findId(given, "requests", async () => {
    const { requests } = await client.requests({ limit: PAGE });
    return requests.map(({ request_id }) => request_id);
  });
}

function tick({ output }: CliContext): string {
  return output.colors.green("✓");
}
