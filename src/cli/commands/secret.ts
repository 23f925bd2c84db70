import { Option } from "commander";
import type { KeepingStore } from "../cli-io.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { readSecret } from "../read-secret.js";
import { renderTable } from "../table.js";

const HEADER = ["NAME", "STORE", "REFERENCE", "USED BY", "STATE"];

type SetOptions = { store?: KeepingStore; generate?: true };

export const define: DefineCommand = (command, act) => {
  command
    .command("list", { isDefault: true })
    .description("list the secrets, where each is kept and what uses it; never their values")
    .action(() => act(list));
  command
    .command("set")
    .description("store a secret, typed at a prompt that does not show it, or from a pipe")
    .argument("<name>", "what to call it, such as agent-comms")
    .addOption(
      new Option(
        "--store <store>",
        "where to keep it; default: the keychain, or a file where there is none",
      ).choices(["keychain", "file"]),
    )
    .option("--generate", "make a new one, and print nothing but the reference to it")
    .action((name: string, options: SetOptions) => act((cli) => set(cli, name, options)));
  command
    .command("rm")
    .description("remove a secret from the store that has it")
    .argument("<name>", "what it is called")
    .action((name: string) => act((cli) => remove(cli, name)));
  command.addHelpText(
    "after",
    "\nA secret is never given as an argument: other users of the machine can read those.",
  );
};

async function set(cli: CliContext, name: string, { store, generate }: SetOptions): Promise<void> {
  const { io, output } = cli;
  const value = generate === true ? undefined : await readSecret(cli, `Secret ${escapeLine(name)}: `);
  const stored = await (await io.loadDaemon()).secrets.set({ name, value, store });
  if (generate === true) {
    output.result({ name, store: stored.store, reference: stored.reference }, () => stored.reference);
    return;
  }
  output.confirm({ name, store: stored.store, reference: stored.reference }, () => {
    const where = stored.store === "keychain" ? "the keychain" : "a file that only you can read";
    const why =
      stored.noKeychain === undefined ? "" : ` (no keychain answers here: ${escapeLine(stored.noKeychain)})`;
    return `${output.colors.green("✓")} Stored in ${where}${why}\n  Refer to it in huddle.yaml as ${escapeLine(stored.reference)}`;
  });
}

async function remove({ io, output }: CliContext, name: string): Promise<void> {
  const stores = await (await io.loadDaemon()).secrets.remove(name);
  output.confirm({ name, removed_from: stores }, () => {
    const from = stores.map((store) => (store === "keychain" ? "the keychain" : "its file")).join(" and ");
    return `${output.colors.green("✓")} ${escapeLine(name)} was removed from ${from}\n  See what still refers to it: huddle secret list`;
  });
}

async function list({ io, output }: CliContext): Promise<void> {
  const { secrets, noKeychain } = await (await io.loadDaemon()).secrets.list();
  const document = {
    store: noKeychain === undefined ? "keychain" : "file",
    no_keychain: noKeychain ?? null,
    secrets: secrets.map(({ usedBy, problem, ...secret }) => ({
      ...secret,
      used_by: usedBy,
      problem: problem ?? null,
    })),
  };
  output.result(document, () => {
    const inUse =
      noKeychain === undefined
        ? "New secrets go to the keychain."
        : `No keychain answers here (${escapeLine(noKeychain)}): new secrets go into files that only you can read.`;
    if (secrets.length === 0)
      return `${inUse}\nNo secrets yet. Make one: huddle secret set agent-comms --generate`;
    const rows = secrets.map(({ name, store, reference, usedBy, problem }) => [
      { text: escapeLine(name), paint: output.colors.bold },
      escapeLine(store),
      escapeLine(reference),
      usedBy.length === 0 ? "nothing" : usedBy.map(escapeLine).join(", "),
      problem === undefined ? "ok" : escapeLine(problem),
    ]);
    const table = renderTable(
      HEADER.map((text) => ({ text, paint: output.colors.dim })),
      rows,
      output.width,
    );
    return `${inUse}\n${table}`;
  });
}
