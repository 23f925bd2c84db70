import { CommandLine } from "../parts/empty-state.js";
import { ExactBlock } from "./exact-command.js";
import { ExactText } from "./exact-text.js";
import type { FactsAbout } from "./facts-about.js";
import { NeedCard, NeedFacts } from "./need-card.js";
import type { ShownNeed } from "./shown-needs.js";

/** A dialog on the screen of a pane that only the person can answer, there. */
export function DialogCard({ shown, facts }: { shown: ShownNeed; facts: FactsAbout<"dialog"> }) {
  const { agent, actions } = shown.need;
  const attach = actions.find(({ action }) => action === "attach");
  const name = agent ?? "";
  return (
    <NeedCard
      shown={shown}
      who={[name]}
      says={{ name, what: "shows a dialog that only you can answer, in its pane" }}
      actions={attach !== undefined && <CommandLine command={attach.command} />}
    >
      <div className="need__asked">
        <ExactBlock label="Its screen says" text={facts.words} />
      </div>
      <NeedFacts
        facts={[
          facts.folder === null
            ? undefined
            : [
                "folder",
                <code key="f">
                  <ExactText text={facts.folder} />
                </code>,
              ],
          facts.backend === null ? undefined : ["backend", facts.backend],
          facts.pane === null ? undefined : ["pane", <code key="p">{facts.pane.session}</code>],
        ]}
      />
    </NeedCard>
  );
}
