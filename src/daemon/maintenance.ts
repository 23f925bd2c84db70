import type { Maintenance } from "../surface/ports.js";
import type { Log } from "./log.js";

type Upkeep = Maintenance & { events: { firstSeq(): number } };

/** The journal's upkeep, with what follows it: views that are only read forget what is no longer there. */
export function createMaintenance(
  journal: Upkeep,
  views: readonly { prune(upTo: number): void }[],
  log: Pick<Log, "info">,
): Maintenance {
  const follow = () => {
    const gone = journal.events.firstSeq() - 1;
    if (gone > 0) for (const view of views) view.prune(gone);
  };
  follow(); // A hub may have stopped before they had.
  return {
    async backUp(file) {
      const backedUp = await journal.backUp(file);
      log.info(backedUp, "backed up");
      return backedUp;
    },
    async pruneBefore(wall) {
      const pruned = await journal.pruneBefore(wall);
      log.info(pruned, "pruned");
      follow();
      return pruned;
    },
  };
}
