/** Frames that are sent one after the other go out in one write: a write costs more than a frame. */
export function createGatherer(socket: { cork(): void; uncork(): void }): () => void {
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    socket.cork();
    process.nextTick(() => {
      isGathering = false;
      socket.uncork();
    });
  };
}
