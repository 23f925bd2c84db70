import type { Colors } from "../output.js";
import type { Cell } from "../table.js";

const keys: readonly (readonly [key: string, what: string] | undefined)[] = [
  ["j k ↓ ↑", "next, previous; g and G: first, last"],
  ["Tab", "from the agents to what needs you, and back"],
  ["u", "the next thing that needs you"],
  ["Enter", "an agent's screen if it has a pane, else its output; a need as a whole"],
  ["Space b", "read on, and back, in the details"],
  ["/", "show only agents with this text; Esc shows all"],
  ["t", "attach to the agent's pane; Ctrl-b d comes back"],
  undefined,
  ["o s a d", "a permission: once, session, always, deny"],
  ["r m", "a message: reply, mark as read"],
  ["c f x", "what is paused: continue, freeze; x ends what is stuck"],
  undefined,
  ["Ctrl-L", "draw everything again"],
  ["Ctrl-Z", "to the shell; fg comes back"],
  ["q Ctrl-C", "quit"],
];

export function helpLines(colors: Colors): Cell[][] {
  return [
    [""],
    ...keys.map((row): Cell[] =>
      row === undefined ? [""] : ["  ", { text: row[0].padEnd(10), paint: colors.cyan }, row[1]],
    ),
    [""],
    [{ text: "  A key answers what is chosen and shown, and nothing else.", paint: colors.dim }],
  ];
}
