import { rmSync } from "node:fs";
import { join } from "node:path";
import type { HubClient } from "../../client/hub-client.js";
import { type DeskPlace, deskLink, loginLink } from "../../model/desk-link.js";
import type { CliContext } from "../context.js";
import { browserCommand, isRemote } from "./browser-command.js";
import { writeLoginPage } from "./login-page.js";
import { runBrowser } from "./run-browser.js";

type OpenDesk = {
  /** Where the hub is, and a client of it. */
  url: string;
  client: HubClient;
  place?: DeskPlace | undefined;
  /** Only show the link. */
  print?: boolean | undefined;
};

/** Shows the desk in the person's browser, logged in; where none can be opened, prints the link that does it. */
export async function openDesk(cli: CliContext, { url, client, place, print }: OpenDesk): Promise<void> {
  const { io, output, paths } = cli;
  const { code, expires_in } = await client.deskCode();
  const link = loginLink(url, code, place);
  const shown = place === undefined ? `${url}/` : deskLink(url, place);
  if (print === true) {
    output.result({ url: shown, link, expires_in }, () => link);
    output.note(`It works once, within ${expires_in} s.`);
    return;
  }
  const problem = await tryToOpen();
  if (problem === undefined) {
    output.result(
      { url: shown, opened: true },
      () => `${output.colors.green("✓")} The desk is open in your browser: ${shown}`,
    );
    output.note(output.colors.dim("If it is not: huddle ui --print shows a link."));
    return;
  }
  output.result({ url: shown, opened: false, link, expires_in }, () => link);
  output.note(`${problem} Open this link in one within ${expires_in} s; it works once.`);
  if (isRemote(io.env)) {
    const { port } = new URL(url);
    output.note(`From the machine that you came from: ssh -L ${port}:127.0.0.1:${port} HOST, then the link.`);
  }

  async function tryToOpen(): Promise<string | undefined> {
    const screen = { env: io.env, platform: process.platform };
    if (browserCommand("", screen) === undefined) return "There is no screen here to open a browser on.";
    const file = writeLoginPage(join(paths.state, "desk"), link);
    // For a hub that runs here; a command that ends sooner leaves it to the next one.
    setTimeout(() => rmSync(file, { force: true }), expires_in * 1000).unref();
    const command = browserCommand(file, screen);
    const failed = command === undefined ? "" : await runBrowser(command, io.env);
    return failed === undefined ? undefined : `No browser could be opened (${failed}).`;
  }
}

/** Whether a person sits at a terminal and did not say that they want no browser. Programs never get one. */
export function wantsDesk({ io, globals }: CliContext): boolean {
  return io.stdout.isTTY === true && (io.env["CI"] ?? "") === "" && !globals.json && globals.open;
}
