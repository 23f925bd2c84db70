import type { Conversation, ShownMessage } from "./conversation.js";
import { withoutDirectives } from "./directives.js";
import { isToolSearch } from "./offered-tools.js";
import type { Rule } from "./rules.js";
import { scriptFor } from "./rules.js";
import { endsReply, type Script, type Step } from "./step.js";

/*
 * Where the script stands is read from the conversation alone, so that retries, side calls and restarted CLIs disturb
 * nothing. The user's words start a script and end every other. A tool's result, or a remark that the CLI slips in
 * beside it, starts one on top: when it is through, the one below goes on. Each answered call moves the top one on.
 */

export type Plan = {
  /** For this reply: up to and including the next call. */
  steps: Script;
  /** The user's words that count, for the echo. */
  said: string;
};

/** What CLIs add in the user's name. */
const remark =
  /<(system-reminder|environment_context|user_instructions|session_context|turn_aborted|INSTRUCTIONS|permissions_instructions|skills_instructions|current_datetime)\b[^>]*>[\s\S]*?<\/\1>/g;

export function planReply(conversation: Conversation, rules: readonly Rule[], lane: string): Plan {
  let stack: Script[] = [];
  let said = "";
  for (const message of conversation.messages) {
    if (message.role === "assistant") {
      if (message.calls.some(({ name }) => !isToolSearch(name))) stack = advance(stack);
      continue;
    }
    const words = message.texts.filter((text) => text.replace(remark, "").trim() !== "");
    const asides = asidesOf(message, words);
    for (const aside of asides) {
      const script = scriptFor(aside, rules, lane);
      if (script !== undefined) stack = [script, ...stack];
    }
    if (words.length === 0) continue;
    said = words.join("\n");
    stack = [scriptFor(said, rules, lane) ?? [{ kind: "echo" }]];
  }
  return { steps: takeReply(stack), said: withoutDirectives(said.replace(remark, "")) };
}

function asidesOf({ texts, results }: ShownMessage & { role: "user" }, words: readonly string[]): string[] {
  return [...results.map(({ text }) => text), ...texts.filter((text) => !words.includes(text))];
}

/** The stack behind the next call. */
function advance(stack: readonly Script[]): Script[] {
  for (const [i, script] of stack.entries()) {
    const end = script.findIndex(endsReply);
    if (end >= 0) return [script.slice(end + 1), ...stack.slice(i + 1)];
  }
  return [];
}

function takeReply(stack: readonly Script[]): Step[] {
  const steps = stack.flat();
  const end = steps.findIndex(endsReply);
  return end < 0 ? steps : steps.slice(0, end + 1);
}
