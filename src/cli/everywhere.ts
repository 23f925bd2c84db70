import type { Everywhere } from "../client/hub-client.js";
import { stateWord } from "./agent-state.js";
import type { CliContext } from "./context.js";
import { escapeLine } from "./escape-text.js";
import { quoteWord } from "./quote-word.js";
import { renderTable } from "./table.js";
import { usageError } from "./usage-error.js";
import { wrapText } from "./wrap-text.js";

type EverywhereOptions = { limit?: string; cursor?: string };

const LIMIT = 50;
const LIMIT_MOST = 100_000;
const PAGE = 1000;

/** The agents of all hubs that can be reached, up to the limit; which hubs did not answer is said beside them. */
export async function listEverywhere(cli: CliContext, options: EverywhereOptions): Promise<number> {
  const limit = readLimit(options.limit);
  const client = await cli.client();
  const agents: Everywhere["agents"] = [];
  const problems = new Map<string, Everywhere["problems"][number]>();
  let next: string | null = options.cursor ?? null;
  do {
    const page: Everywhere = await client.everywhere({
      limit: Math.min(PAGE, limit - agents.length),
      ...(next === null ? {} : { cursor: next }),
    });
    agents.push(...page.agents);
    for (const one of page.problems) problems.set(JSON.stringify(one), one);
    next = page.next;
  } while (next !== null && agents.length < limit);
  const found = { agents, problems: [...problems.values()], next };
  cli.output.result(found, () => render(found, cli));
  if (next !== null && !cli.output.json)
    cli.output.note(`There are more: huddle agents --everywhere --cursor ${quoteWord(next)}`);
  return 0;
}

function readLimit(text: string | undefined): number {
  const limit = text === undefined ? LIMIT : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MOST) return limit;
  throw usageError(`--limit is a number from 1 to ${LIMIT_MOST}`, "huddle agents --everywhere --limit 500");
}

function render(
  { agents, problems }: Pick<Everywhere, "agents" | "problems">,
  { output }: CliContext,
): string {
  const { colors, width } = output;
  const table = renderTable(
    ["NAME", "STATUS", "HUB"].map((text) => ({ text, paint: colors.dim })),
    agents.map(({ name, hub, status, person }) => [
      { text: escapeLine(person === true ? `${name} (the person)` : name), paint: colors.bold },
      stateWord(status, colors),
      hub === null ? { text: "this one", paint: colors.dim } : escapeLine(hub),
    ]),
    width,
  );
  const lines = problems.flatMap((one) => wrapText(escapeLine(sentence(one)), width).split("\n"));
  return [agents.length === 0 ? "No agents." : table, ...lines.map(colors.yellow)].join("\n");
}

function sentence({ hub, kind, problem }: Everywhere["problems"][number]): string {
  switch (kind) {
    case "no_answer":
      return `hub ${hub} did not answer: ${problem}`;
    case "refused":
      return `hub ${hub} refused: ${problem}`;
    case "untrusted":
      return `hub ${hub} is not trusted: ${problem}`;
    case "cut":
      return hub === null ? problem : `hub ${hub} was cut: ${problem}`;
    case "unlisted":
      return `Hubs of the fabric that are no peers are missing: ${problem}`;
  }
}
