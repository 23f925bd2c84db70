import { useEffect, useRef } from "react";
import { addScope, type KeyBinding } from "./keys.js";

/**
 * Keys that work while this is on the page. `name` heads them among all keys. They may be made anew at each render: only what
 * they are and what they say registers again, what they do is always the newest.
 */
export function useKeys(
  name: string,
  bindings: readonly KeyBinding[],
  { inDialog = false, off = false, isOuter = false } = {},
): void {
  const newest = useRef(bindings);
  useEffect(() => {
    newest.current = bindings;
  });
  // What they do is not in it: functions are no JSON.
  const shape = JSON.stringify(bindings);
  useEffect(() => {
    if (off) return;
    return addScope({
      id: Symbol(name),
      name,
      inDialog,
      isOuter,
      bindings: newest.current.map((one, at) => ({
        ...one,
        act: (event) => newest.current[at]?.act(event),
      })),
    });
  }, [name, shape, inDialog, off, isOuter]);
}
