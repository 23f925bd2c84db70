import type { TmuxPane } from "../../model/hosting.js";
import { keepStyles } from "./screen.js";
import { createTmuxClient } from "./tmux-client.js";

type ShownScreen = {
  text: string;
  /** With colours and styles. */
  ansi: string;
  columns: number;
  rows: number;
  cursor: { column: number; row: number } | null;
};

/** What stands in a pane now, for people to look at; undefined when it is not there. */
export async function showScreen(pane: TmuxPane | undefined): Promise<ShownScreen | undefined> {
  if (pane === undefined) return undefined;
  const tmux = createTmuxClient(pane.socket === null ? {} : { socket: pane.socket });
  const capture = await tmux.capture(pane.pane);
  if (capture === undefined) return undefined;
  const { rows, width, height, cursor } = capture.screen;
  return {
    text: rows.map(({ text }) => text.trimEnd()).join("\n"),
    ansi: keepStyles(capture.ansi),
    columns: width,
    rows: height,
    cursor: cursor.visible ? { column: cursor.column, row: cursor.row } : null,
  };
}
