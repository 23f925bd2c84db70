/**
 * Whether the journal grew by more than `events` since it was last asked: then senders need the machine, and what is only
 * read later can wait.
 */
export function createCrowded(lastSeq: () => number, events: number): () => boolean {
  let before = lastSeq();
  return () => {
    const now = lastSeq();
    const grown = now - before;
    before = now;
    return grown > events;
  };
}
