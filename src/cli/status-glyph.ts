import type { AgentStatus } from "../model/agent.js";
import type { Colors } from "./output.js";
import type { Cell } from "./table.js";

const glyphs: Readonly<
  Record<AgentStatus, { glyph: string; color: "green" | "yellow" | "red" | "dim" | "reset" }>
> = {
  starting: { glyph: "○", color: "dim" },
  idle: { glyph: "○", color: "reset" },
  busy: { glyph: "●", color: "green" },
  waiting: { glyph: "◔", color: "yellow" },
  rate_limited: { glyph: "⏳", color: "yellow" },
  stalled: { glyph: "!", color: "yellow" },
  error: { glyph: "⚠", color: "red" },
  dormant: { glyph: "○", color: "dim" },
  offline: { glyph: "◌", color: "dim" },
  dead: { glyph: "✕", color: "red" },
};

/** A glyph and the word: never colour alone. */
export function statusCell(status: AgentStatus, colors: Colors): Cell {
  const { glyph, color } = glyphs[status];
  return { text: `${glyph} ${status}`, paint: colors[color] };
}
