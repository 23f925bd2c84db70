import { join } from "node:path";
import { tempFolder } from "./temp-folder.js";
import { openTestHub } from "./test-hub.js";

/** The file of a journal with some mail, which no hub has open. */
export async function closedJournal(): Promise<string> {
  const file = join(tempFolder(), "hub.db");
  const hub = openTestHub({ file });
  const [ann, ben] = [await hub.register("ann"), await hub.register("ben")];
  await Promise.all(Array.from({ length: 50 }, (_, i) => hub.send(ann, ben, `${i} ${"x".repeat(400)}`)));
  await hub.close();
  return file;
}
