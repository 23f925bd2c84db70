import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** What clients show to the person as commands. */
type Prompt = {
  name: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  /** The tools that it speaks of: without them it is not offered. */
  needs: readonly string[];
  text(args: Readonly<Record<string, string>>): string;
};

const prompts: readonly Prompt[] = [
  {
    name: "catch-up",
    description: "Read your messages, say what they are about, and deal with what waits for you",
    arguments: [],
    needs: ["check_messages", "send_message"],
    text: () =>
      "Catch up with the other agents: call check_messages until nothing more comes. Tell me in a few lines who wrote what and what they need. " +
      "Answer what you can answer from what you know, with reply_to. Ask me before you begin any work that a message asks for.",
  },
  {
    name: "delegate",
    description: "Hand a task to another agent and come back with its answer",
    arguments: [
      { name: "task", description: "What is to be done", required: true },
      { name: "to", description: "Who is to do it; without it, whoever claims it", required: false },
    ],
    needs: ["list_agents", "send_message", "request_task", "wait_for_message"],
    text: ({ task, to }) =>
      (to === undefined || to === ""
        ? "Delegate the task below: post it with request_task, with all the context that somebody who does not see our conversation needs."
        : `Delegate the task below to the agent "${to}" (look for it with list_agents): send_message with all the context that it needs, as it does not see our conversation.`) +
      ` Then wait_for_message for the answer, check it, and tell me what came of it.\n\nTask: ${task}`,
  },
];

/** Those that can be followed with these tools. */
function promptsFor(tools: readonly string[]): Prompt[] {
  return prompts.filter(({ needs }) => needs.every((tool) => tools.includes(tool)));
}

export function listPrompts(tools: readonly string[]) {
  return promptsFor(tools).map(({ name, description, arguments: args }) => ({
    name,
    description,
    arguments: args,
  }));
}

export function getPrompt(
  tools: readonly string[],
  name: string,
  args: Readonly<Record<string, string>> = {},
) {
  const known = promptsFor(tools);
  const prompt = known.find((one) => one.name === name);
  if (prompt === undefined) {
    const there = known.map((one) => one.name).join(", ") || "none with this set of tools";
    throw invalid(`There is no prompt "${name.slice(0, 200)}"; there are ${there}`);
  }
  const missing = prompt.arguments.find((argument) => argument.required && !args[argument.name]);
  if (missing !== undefined) throw invalid(`The prompt "${name}" needs the argument "${missing.name}"`);
  return {
    description: prompt.description,
    messages: [{ role: "user" as const, content: { type: "text" as const, text: prompt.text(args) } }],
  };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code: "INVALID_INPUT" });
}
