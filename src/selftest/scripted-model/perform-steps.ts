import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Conversation, ReplyPart } from "./conversation.js";
import { shownTexts } from "./conversation.js";
import { jsonValuesIn, valueAt } from "./json-text.js";
import { findTool, type Invocation, invokeShell, invokeWrite, searchTool } from "./offered-tools.js";
import type { Script, Step, ToolCall } from "./step.js";

export type Stage = {
  conversation: Conversation;
  said: string;
  /** Resolves when the test released it. */
  released(name: string, signal: AbortSignal): Promise<void>;
  /** The client went away. */
  signal: AbortSignal;
};

/** Carries out the steps of one reply, in their own time. `error` and `limit` steps were dealt with before. */
export async function* performSteps(steps: Script, stage: Stage): AsyncGenerator<ReplyPart> {
  for (const step of steps) yield* performStep(step, stage);
}

async function* performStep(step: Step, stage: Stage): AsyncGenerator<ReplyPart> {
  const { conversation, said, signal } = stage;
  switch (step.kind) {
    case "say":
      yield { kind: "text", text: step.text };
      break;
    case "think":
      yield { kind: "thought", text: step.text };
      break;
    case "echo":
      yield { kind: "text", text: `echo: ${said.slice(-500)}` };
      break;
    case "stream":
      for (let i = 1; i <= step.chunks; i++) {
        yield { kind: "text", text: `chunk ${i} of ${step.chunks}. ` };
        await sleep(step.everyMs, undefined, { signal });
      }
      break;
    case "wait":
      await sleep(step.ms, undefined, { signal });
      break;
    case "hold":
      await stage.released(step.name, signal);
      break;
    case "call":
      for (const call of step.calls) yield toPart(resolveCall(call, conversation), call.tool);
      break;
    case "shell":
      yield toPart(invokeShell(conversation.tools, step.command, step.ask), "shell");
      break;
    case "write":
      yield toPart(invokeWrite(conversation.tools, step.path, step.text), "write");
      break;
    case "error":
    case "limit":
      break;
  }
}

function resolveCall({ tool, args }: ToolCall, conversation: Conversation): Invocation | undefined {
  const offered = findTool(conversation.tools, tool);
  return offered === undefined
    ? searchTool(conversation.tools, tool, [conversation.system, ...shownTexts(conversation)])
    : { tool: offered, args: fillInAll(args, conversation) };
}

/** A tool that was not offered is said, so that the test that waits for its effect shows why. */
function toPart(invocation: Invocation | undefined, wanted: string): ReplyPart {
  if (invocation === undefined)
    return { kind: "text", text: `scripted model: no tool "${wanted}" was offered` };
  return { kind: "call", id: `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`, ...invocation };
}

/** Puts values of the newest tool result that has them in the place of `{{path}}`. */
function fillIn(value: unknown, conversation: Conversation): unknown {
  if (typeof value === "string")
    return value.replace(/\{\{([\w.]+)\}\}/g, (whole, path: string) => {
      for (const text of shownTexts(conversation).reverse()) {
        const found = valueAt(jsonValuesIn(text), path);
        if (found !== undefined) return typeof found === "string" ? found : JSON.stringify(found);
      }
      return whole;
    });
  if (Array.isArray(value)) return value.map((inner) => fillIn(inner, conversation));
  return typeof value === "object" && value !== null ? fillInAll(value, conversation) : value;
}

function fillInAll(value: object, conversation: Conversation): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillIn(inner, conversation)]));
}
