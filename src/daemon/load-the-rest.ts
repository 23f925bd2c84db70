/** Late enough for those who start a hub to ask it something first. */
const AFTER_MS = 1000;

/**
 * What is loaded on first use to let the hub start sooner is loaded a moment later all the same: an upgrade may replace
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
