import { type DeskPlace, parseDeskLink } from "../../model/desk-link.js";
import type { CliContext, DefineCommand } from "../context.js";
import { openDesk } from "../desk/open-desk.js";
import { usageError } from "../usage-error.js";

type UiOptions = { print?: true };

export const define: DefineCommand = (command, act) => {
  command
    .argument(
      "[link]",
      "where: agents/NAME, messages/ID, needs-you, network, requests, workflows, log, health, or a link",
    )
    .option("--print", "only print the link that opens it; it works once")
    .action((link: string | undefined, options: UiOptions) => act((cli) => showDesk(cli, link, options)));
};

async function showDesk(cli: CliContext, link: string | undefined, { print }: UiOptions): Promise<void> {
  const place = link === undefined ? undefined : readPlace(link);
  if (!isElsewhere(cli)) {
    const { ensureHub } = await import("../ensure-hub.js");
    await ensureHub(cli, { set: [] });
  }
  const { url } = await cli.locate();
  await openDesk(cli, { url, client: await cli.client(), place, print });
}

function readPlace(link: string): DeskPlace {
  const place = parseDeskLink(link);
  if (place !== undefined) return place;
  throw usageError(
    `The desk has no place "${link}"`,
    "It has agents/NAME, messages/ID, needs-you, network, requests, workflows, log, health, new-agent; an id may follow most.",
  );
}

/** One that the person named is theirs to start. */
function isElsewhere({ io, globals }: CliContext): boolean {
  return [globals.hub, io.env["HUDDLE_URL"], io.env["JANUS_API_URL"]].some((url) => (url ?? "") !== "");
}
