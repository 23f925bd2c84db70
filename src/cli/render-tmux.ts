import { escapeLine } from "./escape-text.js";

/** Where an agent's pane is, if one is open: `agent-alpha-ana %3`, as tmux names the two. */
export function renderTmux(tmux: { session: string; pane: string } | undefined): string | undefined {
  return tmux === undefined ? undefined : `${escapeLine(tmux.session)} ${escapeLine(tmux.pane)}`;
}
