import { type Command, Help, type Option } from "commander";
import { commandGroups } from "./command-entry.js";
import { commandExamples } from "./command-examples.js";
import { commandTable } from "./command-table.js";
import { wrapText } from "./wrap-text.js";

/** For a program that reads it. */
export const USUAL_WIDTH = 100;
const GAP = 2;

/** What `huddle --help` prints: the commands in groups, each with one line, wrapped to the terminal. */
export function renderCommandList(program: Command, width = USUAL_WIDTH): string {
  const parts = [
    "Usage: huddle [options] [command]",
    wrapText(program.description(), width),
    ...commandGroups.map((group) => {
      const rows = commandTable
        .filter((entry) => entry.group === group)
        .map(({ name, aliases = [], summary }): Row => [[name, ...aliases].join(", "), summary]);
      return `${group}\n${renderRows(rows, width, NAME_WIDTH)}`;
    }),
    `Options of every command\n${renderRows(optionRows(program), width)}`,
    wrapText("huddle COMMAND --help shows the options of a command, with examples.", width),
  ];
  return `${parts.join("\n\n")}\n`;
}

const NAME_WIDTH = Math.max(
  ...commandTable.map(({ name, aliases = [] }) => [name, ...aliases].join(", ").length),
);

/** The help of one command: its own options only, and where the others are. */
export function renderCommandHelp(command: Command, help: Help): string {
  const text = Help.prototype.formatHelp.call(help, command, help);
  return `${text}\nOptions of every command: huddle --help\n`;
}

export function renderExamples(command: string): string {
  const examples = commandExamples[command] ?? [];
  return examples.length === 0 ? "" : `\nExamples:\n${examples.map((line) => `  ${line}`).join("\n")}`;
}

/** An empty list is no default that anybody needs to know of. */
export function describeOption(this: Help, option: Option): string {
  const isEmptyList = Array.isArray(option.defaultValue) && option.defaultValue.length === 0;
  return isEmptyList ? option.description : Help.prototype.optionDescription.call(this, option);
}

type Row = [term: string, text: string];

function optionRows(program: Command): Row[] {
  const help = program.createHelp();
  return help
    .visibleOptions(program)
    .map((option) => [help.optionTerm(option), help.optionDescription(option)]);
}

/** Two columns; on a narrow terminal the second stands below the first. */
function renderRows(
  rows: readonly Row[],
  width: number,
  termWidth = Math.max(...rows.map(([term]) => term.length)),
) {
  const left = 2 + termWidth + GAP;
  const below = width - left < 24;
  return rows
    .map(([term, text]) => {
      const indent = " ".repeat(below ? 6 : left);
      const lines = wrapText(text, width - indent.length).split("\n");
      if (below) return [`  ${term}`, ...lines.map((line) => indent + line)].join("\n");
      const [first = "", ...rest] = lines;
      return [`  ${term.padEnd(termWidth + GAP)}${first}`, ...rest.map((line) => indent + line)].join("\n");
    })
    .join("\n");
}
