const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

const signs: Readonly<Record<string, string>> = {
  mod: isApple ? "⌘" : "Ctrl",
  Enter: "⏎",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  alt: isApple ? "⌥" : "Alt",
};

/** The keys to draw for a binding: `mod+k` is two, `g c` is two. */
export function sayKeys(keys: string): readonly string[] {
  return keys.split(/[ ]|(?<=.)\+/).map((key) => signs[key] ?? key);
}

export const paletteSign = isApple ? "⌘K" : "Ctrl K";
