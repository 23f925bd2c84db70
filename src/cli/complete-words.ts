import type { Argument, Command, Option } from "commander";
import type { HubClient } from "../client/hub-client.js";
import { HubError } from "../model/errors.js";
import { listAllAgents } from "./agent-names.js";
import { isAway } from "./agent-state.js";
import type { CliContext } from "./context.js";
import { addGlobalOptions, wordsOf } from "./globals.js";

/** What a word may become, and what that is. */
export type Candidate = { word: string; says: string };

/** A shell does not wait for a hub, unless --timeout says so. */
const PATIENCE_MS = 1000;

/** Words of arguments that commander leaves to the commands. */
const fixedWords: Readonly<Record<string, readonly string[]>> = {
  conversations: ["continue", "freeze"],
  budget: ["continue", "stop"],
  network: ["pause", "resume", "reset"],
};

/** What the last of these words may become; the first is the command. Nothing: it may be a file, or anything. */
export async function completeWords(cli: CliContext, words: readonly string[]): Promise<Candidate[]> {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const found = await candidates(cli, before, current);
  return found.filter(({ word }) => word.startsWith(current));
}

async function candidates(cli: CliContext, before: readonly string[], current: string): Promise<Candidate[]> {
  const [name] = wordsOf(before);
  const program = await cli.describe(name);
  if (name === undefined) return current.startsWith("-") ? flags(program.options) : commandsOf(program);
  if (name === "help") return commandsOf(program);
  const top = program.commands.find((one) => one.name() === name || one.aliases().includes(name));
  if (top === undefined) return [];
  const after = before.slice(before.indexOf(name) + 1);
  const sub = top.commands.find((one) => one.name() === after.find((word) => !word.startsWith("-")));
  const command = sub ?? top;
  const options = [...command.options, ...addGlobalOptions(program.createCommand()).options];
  const taking = options.find((option) => isFlag(option, before.at(-1) ?? "") && takesValue(option));
  if (taking !== undefined) return valuesOf(cli, taking);
  if (current.startsWith("-")) return flags(options);
  const given = positionals(after, options).slice(sub === undefined ? 0 : 1);
  const argument = argumentAt(command.registeredArguments, given.length);
  return [
    ...(given.length > 0
      ? []
      : command.commands.map((one) => ({ word: one.name(), says: one.description() }))),
    ...(given.length > 0 ? [] : (fixedWords[top.name()] ?? []).map((word) => ({ word, says: "" }))),
    ...(argument === undefined ? [] : await wordsFor(cli, argument, top)),
  ];
}

function commandsOf(program: Command): Candidate[] {
  return program.commands.flatMap((one) =>
    [one.name(), ...one.aliases()].map((word) => ({ word, says: one.description() })),
  );
}

function flags(options: readonly Option[]): Candidate[] {
  return options.flatMap(({ long, description }) =>
    long === undefined || long === null ? [] : [{ word: long, says: description }],
  );
}

function isFlag({ long, short }: Option, word: string): boolean {
  return word !== "" && (word === long || word === short);
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

/** The words that are neither options nor their values. */
function positionals(words: readonly string[], options: readonly Option[]): string[] {
  return words.filter((word, index) => {
    if (word.startsWith("-")) return false;
    const before = words[index - 1] ?? "";
    return !options.some((option) => option.required && isFlag(option, before));
  });
}

function argumentAt(all: readonly Argument[], index: number): Argument | undefined {
  const last = all.at(-1);
  return all[index] ?? (last?.variadic === true ? last : undefined);
}

const agentWords: ReadonlySet<string> = new Set(["agent", "to", "from"]);

async function wordsFor(cli: CliContext, argument: Argument, command: Command): Promise<Candidate[]> {
  const name = argument.name();
  if (argument.argChoices !== undefined) return argument.argChoices.map((word) => ({ word, says: "" }));
  if (command.name() === "approve" || command.name() === "deny") {
    return askHub(cli, async (client) =>
      (await client.permissions()).permissions.map(({ agent, title }) => ({ word: agent, says: title })),
    );
  }
  return agentWords.has(name) ? agents(cli, command.name() === "remove") : [];
}

async function valuesOf(cli: CliContext, option: Option): Promise<Candidate[]> {
  if (option.argChoices !== undefined) return option.argChoices.map((word) => ({ word, says: "" }));
  const name = option.attributeName();
  if (agentWords.has(name)) return agents(cli, false);
  if (name === "backend")
    return askHub(cli, async (client) =>
      (await client.backends()).backends
        .filter(({ installed }) => installed)
        .map((one) => ({ word: one.name, says: one.version ?? "" })),
    );
  return [];
}

function agents(cli: CliContext, areGone: boolean): Promise<Candidate[]> {
  return askHub(cli, async (client) =>
    (await listAllAgents(client))
      .filter((agent) => areGone || !isAway(agent))
      .map(({ name, state, project }) => ({
        word: name,
        says: `${state}${project === null ? "" : `, ${project}`}`,
      })),
  );
}

/** Where no hub answers there is nothing to say, and a prompt is no place for errors. */
async function askHub(
  cli: CliContext,
  ask: (client: HubClient) => Promise<Candidate[]>,
): Promise<Candidate[]> {
  try {
    const waitMs = cli.timeoutMs(PATIENCE_MS);
    const late = new Promise<Candidate[]>((resolve) => setTimeout(resolve, waitMs, []).unref());
    return await Promise.race([ask(await cli.client()), late]);
  } catch (error) {
    if (error instanceof HubError) return [];
    throw error;
  }
}
