import { hub } from "../hub/hub.js";
import { refreshLater } from "../hub/refresh-later.js";
import { tellOutcome } from "../parts/tell-outcome.js";
import { showToast } from "../parts/toast-store.js";

/* What the person does about a request, as one who was asked like everybody else. */

export async function claimRequest(id: string): Promise<void> {
  const act = hub.claimRequest(id).then(({ claimed, request }) => {
    if (!claimed)
      showToast({
        tone: "held",
        title: `${request.claimed_by ?? "Somebody else"} has it already`,
        text: "The first to claim it has it.",
      });
    else showToast({ tone: "done", title: "It is yours", text: `${request.from} waits for your answer.` });
  });
  await tellOutcome(act, "It was not claimed", undefined);
  refresh(id);
}

export async function nudgeRequest(id: string): Promise<void> {
  const act = hub.nudgeRequest(id).then(({ nudged, request }) => {
    if (nudged) showToast({ tone: "done", title: "All agents are reminded" });
    else
      showToast({
        tone: "held",
        title: `${request.claimed_by ?? "Somebody"} has it already`,
        text: "Nobody was reminded.",
      });
  });
  await tellOutcome(act, "Nobody was reminded", undefined);
  refresh(id);
}

export async function answerRequest(id: string, message: string): Promise<boolean> {
  const done = await tellOutcome(hub.answerRequest(id, { message }), "It was not answered", {
    title: "Answered",
    text: "Whoever asked has it in its inbox.",
  });
  refresh(id);
  return done;
}

function refresh(id: string): void {
  refreshLater(["requests"]);
  refreshLater(["request", id]);
}
