import { setTimeout as sleep } from "node:timers/promises";
import type { BackendList, HubClient } from "../../client/hub-client.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import type { Output } from "../output.js";
import { renderNotedTable } from "../table.js";

/** CLIs are slow to say which version they are. */
const WAIT_MS = 15_000;
const AGAIN_MS = 300;

export const define: DefineCommand = (command, act) => {
  command.action(() =>
    act(async (cli) => {
      const list = await askUntilKnown(cli, await cli.client());
      cli.output.result(list, () => render(list, cli.output));
    }),
  );
};

/** With what is known by then. */
async function askUntilKnown(cli: CliContext, client: HubClient): Promise<BackendList> {
  const deadline = performance.now() + cli.timeoutMs(WAIT_MS);
  for (let isFirst = true; ; isFirst = false) {
    const list = await client.backends();
    if (!list.backends.some(({ checking }) => checking) || performance.now() > deadline) return list;
    if (isFirst) cli.output.note("Asking each CLI for its version …");
    await sleep(AGAIN_MS);
  }
}

type Backend = BackendList["backends"][number];

function render({ backends, default: preset }: BackendList, { colors, width }: Output): string {
  const rows = [...backends]
    .sort((a, b) => Number(b.installed) - Number(a.installed))
    .map((backend) => [
      { text: escapeLine(backend.name), paint: backend.installed ? colors.bold : colors.dim },
      backend.version ?? (backend.installed ? "?" : "–"),
      backend.runtime ?? "–",
      { text: `${backend.name === preset ? "the default. " : ""}${note(backend)}`, paint: colors.dim },
    ]);
  return renderNotedTable(["BACKEND", "VERSION", "RUNS BY", "TO DO"], rows, width);
}

/** What is missing, and the command that brings it; nothing where all is well. */
function note({ installed, install, runtime, runtimes }: Backend): string {
  if (!installed) return install ?? runtimes.find(({ reason }) => reason !== null)?.reason ?? "";
  const better = runtimes.find((one) => one.runtime === "acp" && !one.works);
  const missing =
    runtime === "acp" || better === undefined
      ? []
      : [[better.reason, better.install].filter((part) => part !== null).join(": ")];
  const failed = runtimes.flatMap(({ runtime: kind, selftest }) =>
    selftest === null || selftest === undefined || selftest.fails.length === 0
      ? []
      : [`${kind} failed the self-test (${selftest.fails.join(", ")})`],
  );
  return [...missing, ...failed].join("; ");
}
