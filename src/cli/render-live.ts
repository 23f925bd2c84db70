import type { LiveOutputFrame, LivePart } from "../contract/http/live.js";
import { escapeBlock, escapeLine } from "./escape-text.js";
import type { Colors } from "./output.js";

type Tool = Extract<LivePart, { kind: "tool" }>;

/**
 * Live output as a terminal shows it, or a pipe: what agents say as it comes, what they think dim, each call of a tool as a
 * line when it begins and when it ends. Nothing that they write is obeyed.
 */
export function liveWriter(colors: Colors, showsAgent: boolean): (frame: LiveOutputFrame) => string {
  /** What stands at the end of what was written, and where that is. */
  let last: { key: string; isLineStart: boolean } = { key: "", isLineStart: true };
  const tools = new Map<string, Tool["status"]>();
  /** By turn and kind: how much was written, and half of a character whose other half has not come. */
  const texts = new Map<string, { end: number; half: string }>();

  function line(text: string, key = ""): string {
    const before = last.isLineStart ? "" : "\n";
    last = { key, isLineStart: true };
    return `${before}${text}\n`;
  }

  const who = (agent: string) => (showsAgent ? `${colors.bold(escapeLine(agent))} ` : "");

  function writeText(
    { agent, turn }: LiveOutputFrame,
    part: Extract<LivePart, { kind: "text" | "thought" }>,
  ) {
    const key = `${turn} ${part.kind}`;
    const known = texts.get(key) ?? { end: 0, half: "" };
    const gap = part.offset > known.end ? "…" : "";
    const all = known.half + gap + part.text;
    const half = /[\uD800-\uDBFF]$/.exec(all)?.[0] ?? "";
    texts.set(key, { end: part.offset + part.text.length, half });
    const safe = escapeBlock(half === "" ? all : all.slice(0, -1));
    if (safe === "") return "";
    let out = "";
    if (last.key !== key) {
      out = last.isLineStart ? "" : "\n";
      if (showsAgent) out += `${who(agent)}`;
    }
    last = { key, isLineStart: safe.endsWith("\n") };
    return out + (part.kind === "thought" ? safe.split("\n").map(dimmed).join("\n") : safe);
  }

  const dimmed = (text: string) => (text === "" ? "" : colors.dim(text));

  function writeTool({ agent, turn }: LiveOutputFrame, tool: Tool) {
    const key = `${turn} ${tool.id}`;
    const status = tool.status === "pending" ? "running" : tool.status;
    if (tools.get(key) === status) return "";
    tools.set(key, status);
    const title = escapeLine(tool.title);
    if (status === "running") return line(`${who(agent)}${colors.dim("▸")} ${title}`);
    const mark = status === "done" ? colors.green("✓") : colors.red("✗");
    return line(`${who(agent)}${mark} ${title} ${colors.dim(`(${tool.ms} ms)`)}`);
  }

  return (frame) => {
    if ("state" in frame) {
      const agent = colors.bold(escapeLine(frame.agent));
      const at = frame.at.slice(11, 19);
      for (const kept of [texts, tools]) {
        for (const key of kept.keys()) if (key.startsWith(`${frame.turn} `)) kept.delete(key);
      }
      if (frame.state === "ended") {
        return line(colors.dim(`── ${escapeLine(frame.agent)}: ${escapeLine(frame.stop)} at ${at} UTC ──`));
      }
      const count = frame.messages.length === 1 ? "1 message" : `${frame.messages.length} messages`;
      const since = frame.under_way === true ? `at it since ${at} UTC` : `begins at ${at} UTC`;
      return line(`${colors.dim("──")} ${agent}${colors.dim(` ${since}, with ${count} ──`)}`);
    }
    const { part } = frame;
    switch (part.kind) {
      case "text":
      case "thought":
        return writeText(frame, part);
      case "tool":
        return writeTool(frame, part);
      case "plan":
        return part.entries
          .map(({ text, status }) =>
            line(`${who(frame.agent)}${colors.dim(`plan: ${escapeLine(text)} (${escapeLine(status)})`)}`),
          )
          .join("");
      default:
        return "";
    }
  };
}
