import { create } from "zustand";

/* Dark, light, or as the system has it. `theme.js` of the page does the same before anything is drawn. */

const themes = ["system", "dark", "light"] as const;
export type Theme = (typeof themes)[number];

const KEY = "huddle.theme";
const prefersLight = window.matchMedia("(prefers-color-scheme: light)");

export const useTheme = create<{ theme: Theme }>(() => ({ theme: readKept() }));

export function setTheme(theme: Theme): void {
  useTheme.setState({ theme });
  try {
    window.localStorage.setItem(KEY, theme);
  } catch {
    // A browser that keeps nothing: it lasts as long as the page.
  }
  applyTheme();
}

/** Follows the system, and other tabs. */
export function followTheme(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== KEY) return;
    useTheme.setState({ theme: readKept() });
    applyTheme();
  };
  applyTheme();
  prefersLight.addEventListener("change", applyTheme);
  window.addEventListener("storage", onStorage);
  return () => {
    prefersLight.removeEventListener("change", applyTheme);
    window.removeEventListener("storage", onStorage);
  };
}

function applyTheme(): void {
  const { theme } = useTheme.getState();
  const shown = theme === "system" ? (prefersLight.matches ? "light" : "dark") : theme;
  document.documentElement.dataset["theme"] = shown;
}

function readKept(): Theme {
  try {
    const kept = window.localStorage.getItem(KEY);
    return themes.find((theme) => theme === kept) ?? "system";
  } catch {
    return "system";
  }
}
