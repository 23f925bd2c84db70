import { loadLater } from "../parts/load-later.js";
import { usePalette } from "./palette-store.js";

/** Loaded when it is first wanted. */
const Palette = loadLater(
  { what: "the palette", fallback: () => <></> },
  async () => (await import("./palette.js")).Palette,
);

export function PaletteHost() {
  const opened = usePalette((state) => state.opened);
  return opened === undefined ? null : <Palette start={opened} />;
}
