import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { writeIdentity } from "../../client/identity-file.js";
import { HubError } from "../../model/errors.js";
import { checkAgentName, checkTeam } from "../../model/names.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";

const roles = ["agent", "orchestrator"] as const;
type Role = (typeof roles)[number];
type IdentityOptions = { role: Role; team?: string; project?: string; out?: string };

export const define: DefineCommand = (command, act) => {
  command
    .argument("<name>", "the name of the new agent; a taken one gets a number")
    .option("--role <role>", "agent or orchestrator", parseRole, "agent")
    .option("--team <team>", "its team; default: main")
    .option("--project <folder>", "the folder that it works in")
    .option("--out <file>", "where to write it; default: identities/[TEAM.]NAME.json in the data folder")
    .addHelpText("after", "\nUse it with: node …/dist/mcp-bridge.cjs --identity FILE")
    .action((name: string, options: IdentityOptions) => act((cli) => makeIdentity(cli, name, options)));
};

/** Registers an agent and writes what a bridge needs to act as it: {url, name, token}. */
async function makeIdentity(cli: CliContext, wanted: string, options: IdentityOptions): Promise<void> {
  checkAgentName(wanted);
  const { team } = options;
  if (team !== undefined) checkTeam(team);
  const fileFor = (name: string) =>
    options.out === undefined
      ? join(cli.paths.data, "identities", `${team === undefined ? "" : `${team}.`}${name}.json`)
      : resolve(options.out);
  refuseExisting(fileFor(wanted));
  const { url } = await cli.locate();
  const client = await cli.client();
  const project = options.project === undefined ? {} : { project: resolve(options.project) };
  const inTeam = team === undefined ? {} : { team };
  const { id, name, token } = await client.register({
    name: wanted,
    role: options.role,
    ...inTeam,
    ...project,
  });
  const file = fileFor(name);
  try {
    writeIdentity(file, { url, name, token });
  } catch (error) {
    // Nobody could ever act as it: its token is shown once.
    await client.deregister(id);
    throw error;
  }
  cli.output.result({ file, url, name, role: options.role }, () => {
    const number = name === wanted ? "" : ` ("${wanted}" is taken)`;
    return `${cli.output.colors.green("✓")} ${name}${number}: ${escapeLine(file)}`;
  });
}

function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw new HubError(
    "FILE_EXISTS",
    `${file} exists already; use it, remove it, or choose another with --out`,
    {
      file,
    },
  );
}

function parseRole(text: string): Role {
  const role = roles.find((known) => known === text);
  if (role !== undefined) return role;
  throw new InvalidArgumentError("Give agent or orchestrator.");
}
