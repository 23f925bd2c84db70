import { type Agent, type AgentId, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { withoutOwnHead } from "../../model/own-head.js";

/* What an agent says is stored without the head that it copied; what the person wrote is stored as it is. */

/** The words to store. */
export function ownWords({ id, name }: Agent, content: string): string {
  if (id === HUMAN_ID) return content;
  const words = withoutOwnHead(content, name);
  if (words === content || words.trim() !== "") return words;
  throw new HubError(
    "INVALID_INPUT",
    `After "${content.trim().slice(0, 100)}" nothing follows; write the message itself, the reader is told who sends it`,
  );
}

type Stored = { from: AgentId; fromName: string; content: string };

/** Whether a repeated send says what is stored. Its sender may have another name by now. */
export function sameWords({ from, fromName, content }: Stored, said: string): boolean {
  return content === said || (from !== HUMAN_ID && content === withoutOwnHead(said, fromName));
}
