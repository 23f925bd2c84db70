import type { Keychain } from "../../src/daemon/secret-store/keychain-store.js";

/** A system's keychain in memory: the real one needs a desktop. */
export function scriptedKeychain(items: Record<string, string> = {}): {
  open: () => Promise<Keychain>;
  opened(): number;
  items: Map<string, string>;
} {
  const kept = new Map(Object.entries(items));
  let opened = 0;
  return {
    items: kept,
    opened: () => opened,
    async open() {
      opened++;
      return {
        get: async (name) => kept.get(name),
        set: async (name, value) => void kept.set(name, value),
        remove: async (name) => kept.delete(name),
        names: async () => [...kept.keys()].sort(),
      };
    },
  };
}

/** What the library says on Linux without a secret service. */
export async function noKeychainHere(): Promise<never> {
  throw new Error("Platform failure: DBus error: set your DBUS_SESSION_BUS_ADDRESS instead");
}
