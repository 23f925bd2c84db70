/** What the reasons of an end say to a person. */
const sentences: Readonly<Record<string, string>> = {
  agent_gone: "the agent has left",
  frozen: "you ended its conversation",
  died: "the agent ended while it had it; huddle inbox has the reason",
  not_started: "the agent could not be started; huddle inbox has the reason",
  not_read: "the agent did not read it",
};

/** A reason in words; one that is not known here is shown as it is. */
export function explainReason(reason: string | null): string {
  return reason === null ? "no reason was given" : (sentences[reason] ?? reason);
}
