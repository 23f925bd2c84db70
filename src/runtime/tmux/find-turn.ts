import { type Look, look, type Pane, paneHistory } from "./pane.js";
import { boxText } from "./read-screen.js";
import { compact } from "./screen.js";
import { agentWords, transcriptAfter } from "./transcript.js";

/**
 * A turn that began while nobody looked, by the tag that its line began with: what the pane shows while it is at it, or once
 * it is through. Undefined when that tells nothing: our line is nowhere, was not sent, or nothing followed it.
 */
export async function findTurn(pane: Pane, tag: string): Promise<Look | undefined> {
  const now = await look(pane);
  const { reading, screen } = now;
  if (reading.state === "exited") return undefined;
  const box = "box" in reading ? reading.box : undefined;
  if (box !== undefined && compact(boxText(box)).includes(compact(tag))) return undefined;
  if (!compact(await paneHistory(pane)).includes(compact(tag))) return undefined;
  if (reading.state !== "ready" && reading.state !== "draft") return now;
  const transcript = transcriptAfter(pane.rule, screen, box, tag);
  const { cancelled, failed } = pane.rule.marks;
  const hasEnd = transcript.some((row) => cancelled.test(row) || failed.test(row));
  return hasEnd || agentWords(pane.rule, transcript).length > 0 ? now : undefined;
}
