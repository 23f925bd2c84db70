import { sayWhy } from "../parts/error-card.js";
import { showToast } from "../parts/toast-store.js";

/** Does something at the hub, and says that it is done, or why not. */
export async function actAndTell(done: string, ask: () => Promise<unknown>, text?: string): Promise<void> {
  try {
    await ask();
    showToast({ tone: "done", title: done, text });
  } catch (error) {
    showToast({ tone: "failed", title: "That did not work", text: sayWhy(error) });
  }
}
