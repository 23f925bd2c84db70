import { showToast } from "./toast-store.js";

/** Into the clipboard, and says so. */
export function copyText(text: string, done: string): void {
  navigator.clipboard.writeText(text).then(
    () => showToast({ tone: "done", title: done }),
    () =>
      showToast({
        tone: "failed",
        title: "Not copied",
        text: "The browser does not allow this page to write to the clipboard.",
      }),
  );
}
