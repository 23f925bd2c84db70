import { lazy, Suspense } from "react";
import { usePalette } from "./palette-store.js";

/** Loaded when it is first wanted. */
const Palette = lazy(async () => ({ default: (await import("./palette.js")).Palette }));

export function PaletteHost() {
  const opened = usePalette((state) => state.opened);
  return opened === undefined ? null : (
    <Suspense>
      <Palette start={opened} />
    </Suspense>
  );
}
