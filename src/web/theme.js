// Runs before anything is drawn, so that the page does not flash in the other theme. shell/theme.ts goes on from here.
(() => {
  /** @type {string | null} */
  let chosen = null;
  try {
    chosen = localStorage.getItem("huddle.theme");
  } catch {
    // A browser that keeps nothing.
  }
  const isLight =
    chosen === "light" || (chosen !== "dark" && matchMedia("(prefers-color-scheme: light)").matches);
  document.documentElement.dataset.theme = isLight ? "light" : "dark";
})();
