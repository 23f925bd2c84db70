import { sayWhy } from "./error-card.js";
import { showToast } from "./toast-store.js";

type Done = { title: string; text?: string; action?: { label: string; act: () => void } };

/** Says in a toast what came of an act, or why nothing did. True if it succeeded. */
export async function tellOutcome(
  act: Promise<unknown>,
  failed: string,
  done: Done | undefined,
): Promise<boolean> {
  try {
    await act;
    if (done !== undefined) showToast({ tone: "done", ...done });
    return true;
  } catch (error) {
    showToast({ tone: "failed", title: failed, text: sayWhy(error) });
    return false;
  }
}
