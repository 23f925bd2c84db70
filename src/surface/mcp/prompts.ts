import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** What clients show to the person as commands. */
type Prompt = {
  name: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  text(args: Readonly<Record<string, string>>): string;
};

const prompts: readonly Prompt[] = [
  {
    name: "catch-up",
    description: "Read your messages, say what they are about, and deal with what waits for you",
    arguments: [],
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
    text: ({ task, to }) =>
      (to === undefined || to === ""
        ? "Delegate the task below: post it with request_task, with all the context that somebody who does not see our conversation needs."
        : `Delegate the task below to the agent "${to}" (look for it with list_agents): send_message with all the context that it needs, as it does not see our conversation.`) +
      ` Then wait_for_message for the answer, check it, and tell me what came of it.\n\nTask: ${task}`,
  },
];

export const promptList = prompts.map(({ name, description, arguments: args }) => ({
  name,
  description,
  arguments: args,
}));

export function getPrompt(name: string, args: Readonly<Record<string, string>> = {}) {
  const prompt = prompts.find((known) => known.name === name);
  if (prompt === undefined) {
    throw invalid(`There is no prompt "${name}"; there are ${prompts.map((known) => known.name).join(", ")}`);
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
