/** Events in a second: beyond this many, senders need the machine. */
const CROWD = 1000;

/** Whether, since it was last asked, the journal grew so fast that what is only read later can wait. */
export function createCrowded(lastSeq: () => number): () => boolean {
  let before = { seq: lastSeq(), at: performance.now() };
  return () => {
    const now = { seq: lastSeq(), at: performance.now() };
    const grown = now.seq - before.seq;
    const seconds = (now.at - before.at) / 1000;
    before = now;
    return grown > CROWD * seconds;
  };
}
