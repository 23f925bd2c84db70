type Integrity = { state: "unchecked" | "checking" | "sound" | "damaged"; at: number | undefined };

/** What came of the check of the journal's file, for whoever asks. */
export type IntegrityWatch = { read(): Integrity };

type Check = (signal: AbortSignal) => Promise<void>;

export function watchIntegrity(
  check: Check,
  { isDamaged, wall }: { isDamaged: () => boolean; wall: () => number },
): IntegrityWatch & { check: Check } {
  let integrity: Integrity = { state: "unchecked", at: undefined };
  return {
    read: () => (isDamaged() ? { ...integrity, state: "damaged" } : integrity),
    async check(signal) {
      integrity = { state: "checking", at: undefined };
      try {
        await check(signal);
        integrity = { state: signal.aborted ? "unchecked" : "sound", at: wall() };
      } catch (error) {
        integrity = { state: isDamaged() ? "damaged" : "unchecked", at: wall() };
        throw error;
      }
    },
  };
}
