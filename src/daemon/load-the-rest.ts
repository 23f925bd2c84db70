/** Late enough for those who start a hub to ask it something first, and for a hub that is up for a moment only to do without. */
const AFTER_MS = 10_000;

/**
 * What is loaded on first use to let the hub start sooner is loaded some seconds later all the same: an upgrade may replace
 * the files of a hub that runs. Returns how to call that off.
 */
export function loadTheRest(
  desk: { load(): Promise<unknown> },
  onError: (error: unknown) => void,
): () => void {
  const timer = setTimeout(() => {
    Promise.all([
      import("../surface/mcp/serve-mcp.js"),
      import("../runtime/acp/acp-agent.js"),
      desk.load(),
    ]).catch(onError);
  }, AFTER_MS).unref();
  return () => clearTimeout(timer);
}
