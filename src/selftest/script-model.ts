import type { ScriptedModel } from "./scripted-model/scripted-model.js";
import { ask, call, hold, say } from "./scripted-model/step.js";

/*
 * What the behaviours write to an agent, and what its model does on that. The words hold the agent's name, by which agents that run at the
 * same time are told apart; they fit into one line of a pane, and none is a question, which would owe an answer.
 */

export const words = {
  receive: (agent: string) => `${agent}, the word is heron.`,
  tool: (agent: string) => `${agent}, use your tools.`,
  queue: (agent: string) =>
    ["zeroth", "first", "second", "third"].map((nth) => `the ${nth} thing for ${agent}.`),
  permission: (agent: string, file: string) => `${agent}, make ${file} now.`,
  story: (agent: string) => `tell ${agent} a long story.`,
  interrupt: (agent: string) => `${agent}, stop that.`,
  remember: (agent: string) => `${agent}, remember the bittern.`,
  resume: (agent: string) => `${agent}, go on after the restart.`,
  kill: (agent: string) => `${agent}, busy yourself.`,
};

export const peerOf = (agent: string) => `${agent}-peer`;
export const answerOf = (agent: string) => `${agent} used them`;
export const gateOf = (agent: string) => `gate of ${agent}`;

export function scriptModel(model: ScriptedModel): void {
  // Into a pane goes one line; what it does not hold is to be fetched.
  model.on(/call check_messages to read/, [call("check_messages"), say("read")]);
  model.on(/the word is heron/, [say("I heard it.")]);
  model.on(/([\w-]+), use your tools/, ({ match: [, agent = ""] }) => [
    call("list_agents"),
    call("send_message", { to: peerOf(agent), content: answerOf(agent) }),
    say("used"),
  ]);
  model.on(/zeroth thing for ([\w-]+)/, ({ match: [, agent = ""] }) => [hold(gateOf(agent)), say("begun")]);
  model.on(/third thing for/, [say("all seen")]);
  model.on(/make ([\w-]+) now/, ({ match: [, file = ""] }) => [ask(`touch ${file}`), say(`tried ${file}`)]);
  // gemini, which forgets what was cut, is reminded of it; that is no order.
  model.on(/(?<!You were interrupted at: .*)a long story/, [say("Once upon a time "), hold("never")]);
  model.on(/stop that/, [say("stopped")]);
  model.on(/remember the bittern/, [say("remembered")]);
  model.on(/go on after the restart/, [say("went on")]);
  model.on(/busy yourself/, [say("busy"), hold("never")]);
}
