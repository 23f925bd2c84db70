import { memo } from "react";
import { AgentCard } from "./agent-card.js";
import { BounceCard, NoticeCard } from "./bounce-card.js";
import { BudgetCard } from "./budget-card.js";
import { ConversationCard } from "./conversation-card.js";
import { DialogCard } from "./dialog-card.js";
import { PermissionCard } from "./permission-card.js";
import { QuestionCard } from "./question-card.js";
import type { ShownNeed } from "./shown-needs.js";
import { StepCard } from "./step-card.js";

/** One need, as what it is about is shown. One that this page knows nothing of is shown in its words. */
export const NeedItem = memo(
  function NeedItem({ shown }: { shown: ShownNeed }) {
    const { facts } = shown.need;
    switch (facts?.about) {
      case "permission":
        return <PermissionCard shown={shown} facts={facts} />;
      case "dialog":
        return <DialogCard shown={shown} facts={facts} />;
      case "conversation":
        return <ConversationCard shown={shown} facts={facts} />;
      case "budget":
        return <BudgetCard shown={shown} facts={facts} />;
      case "message":
        return <QuestionCard shown={shown} facts={facts} />;
      case "bounce":
        return <BounceCard shown={shown} facts={facts} />;
      case "agent":
        return <AgentCard shown={shown} facts={facts} />;
      case "step":
        return <StepCard shown={shown} facts={facts} />;
      case "notice":
        return <NoticeCard shown={shown} facts={facts} />;
      case undefined:
        return <NoticeCard shown={shown} />;
    }
  },
  (before, after) =>
    before.shown.state.kind === after.shown.state.kind && isSame(before.shown.need, after.shown.need),
);

/** A list that was fetched again has new objects that say the same. */
function isSame(one: ShownNeed["need"], other: ShownNeed["need"]): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
