import { checkClis } from "../../doctor/check-clis.js";
import { checkNode } from "../../doctor/check-node.js";
import { HubError } from "../../model/errors.js";
import type { Finding } from "../../model/finding.js";
import { counted } from "../amounts.js";
import { configWorld } from "../connect/config-world.js";
import type { CliContext, DefineCommand } from "../context.js";
import { checkHub } from "../doctor/check-hub.js";
import { checkService } from "../doctor/check-service.js";
import { reconnect } from "../doctor/reconnect.js";
import { escapeLine } from "../escape-text.js";
import { EXIT_OK, EXIT_PROBLEMS } from "../exit-codes.js";

const EXAMPLES = `
It looks at Node, the configuration, permissions, the port, the lock, the store, the disk, the hub that runs, its service, peers, leftovers
of earlier hubs, tmux, the keychain, and each agent CLI. Exit code 8 means that it found problems.

Examples:
  huddle doctor
  huddle doctor --fix      fix what is safe to fix unasked: permissions, leftovers, broken connections
  huddle doctor --json`;

const SHAKE_MS = 15_000;

/** A finding, and whether it is fixed by now, or why it could not be. */
type Examined = Finding & { fixed?: true; failed?: string };

export const define: DefineCommand = (command, act) => {
  command
    .option("--fix", "fix what is safe to fix")
    .addHelpText("after", EXAMPLES)
    .action(({ fix }: { fix?: true }) => act((cli) => examine(cli, fix === true)));
};

async function examine(cli: CliContext, fix: boolean): Promise<number> {
  const hub = await checkHub(cli);
  const around = await (await cli.io.loadDaemon()).examine({ isUp: hub.isUp });
  const clis = await checkClis({
    world: configWorld(cli),
    env: cli.io.env,
    data: cli.paths.data,
    isUp: hub.isUp,
    shakeWithinMs: cli.timeoutMs(SHAKE_MS),
    reconnect: (connection) => reconnect(cli, connection, hub.isUp),
  });
  const found = [checkNode(), ...hub.findings, ...checkService(cli), ...around, ...clis];
  const examined: Examined[] = [];
  for (const finding of found) examined.push(fix ? await tryToFix(finding) : finding);
  const left = examined.filter(({ state, fixed }) => state === "problem" && fixed !== true);
  cli.output.result(
    {
      ok: left.length === 0,
      findings: examined.map(({ check, state, text, fix: command, fixed, failed }) => ({
        check,
        state,
        text,
        fix: command ?? null,
        fixed: fixed === true,
        failed: failed ?? null,
      })),
    },
    () => [...examined.map((one) => render(cli, one)), summary(left, fix)].join("\n"),
  );
  return left.length === 0 ? EXIT_OK : EXIT_PROBLEMS;
}

async function tryToFix(finding: Finding): Promise<Examined> {
  if (finding.state !== "problem" || finding.repair === undefined) return finding;
  try {
    await finding.repair();
    return { ...finding, fixed: true };
  } catch (error) {
    if (error instanceof HubError || (error instanceof Error && "code" in error))
      return { ...finding, failed: error.message };
    throw error;
  }
}

function render({ output }: CliContext, { check, state, text, fix, fixed, failed }: Examined): string {
  const { colors } = output;
  const words = `${colors.bold(escapeLine(check))}: ${escapeLine(text)}`;
  if (fixed === true) return `${colors.green("✓")} ${words}. Fixed: ${escapeLine(fix ?? "")}`;
  const advice =
    fix === undefined ? "" : `\n  ${state === "note" ? "To have it" : "Fix it"}: ${escapeLine(fix)}`;
  const why = failed === undefined ? "" : `\n  It could not be fixed: ${escapeLine(failed)}`;
  const mark = { ok: colors.green("✓"), note: colors.dim("–"), problem: colors.red("✗") }[state];
  return `${mark} ${words}${why}${advice}`;
}

function summary(left: readonly Examined[], fix: boolean): string {
  if (left.length === 0) return "All is well.";
  const safe = left.filter((one) => one.state === "problem" && one.repair !== undefined).length;
  const hint =
    fix || safe === 0
      ? ""
      : ` huddle doctor --fix fixes ${safe === 1 && left.length === 1 ? "it" : safe === left.length ? "them" : `${safe} of them`}.`;
  return `${counted(left.length, "problem")} found.${hint}`;
}
