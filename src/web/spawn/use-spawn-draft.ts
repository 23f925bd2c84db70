import { create } from "zustand";
import { emptyForm, type SpawnForm } from "./spawn-form.js";

/** Kept while the page is open: a dialog that was closed by mistake opens again as it was. */
export const useSpawnDraft = create<{ form: SpawnForm }>(() => ({ form: emptyForm }));

export function changeDraft(change: Partial<SpawnForm>): void {
  useSpawnDraft.setState(({ form }) => ({ form: { ...form, ...change } }));
}

export function clearDraft(): void {
  useSpawnDraft.setState({ form: emptyForm });
}
