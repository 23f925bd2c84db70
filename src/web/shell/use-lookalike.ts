import { useAgentStore } from "../hub/agent-store.js";
import { looksLikeOther } from "../parts/split-unsafe.js";

/** The older agent whose name this one's could be taken for, if there is one. Of two, the one that came later is marked. */
export function useLookalike(name: string | undefined): string | undefined {
  return useAgentStore(({ ids, byId }) => {
    if (name === undefined) return undefined;
    const names = ids.map((id) => byId.get(id)?.name ?? "");
    const older = names.slice(0, names.indexOf(name));
    return older.length > MOST ? undefined : looksLikeOther(name, older);
  });
}

/** Comparing each with each takes long where there are many. */
const MOST = 300;
