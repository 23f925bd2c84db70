import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Waits until this process has let go of the files of closed databases. The default driver keeps them open until the
 * garbage collector has been, which hub processes see only at their end.
 */
export async function letGoOfClosedFiles(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let round = 0; round < 3; round++) {
    collect();
    await nextTurn();
  }
}
