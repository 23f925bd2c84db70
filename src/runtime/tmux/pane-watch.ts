import { isShell } from "./read-screen.js";
import type { PaneInfo, TmuxClient } from "./tmux-client.js";

/*
 * Notices that agents in panes ended while nobody looks at their screens: one question to the server for all of them,
 * and none when there are none. So idle agents cost nothing that grows with their number.
 */

export type PaneWatch = {
  /** Calls `gone` once when the pane ended, or fell back to a shell; until then `seen` with what it is now. */
  add(pane: WatchedPane, watcher: PaneWatcher): () => void;
};

type PaneWatcher = { gone(info: PaneInfo | undefined): void; seen(info: PaneInfo): void };

type WatchedPane = { id: string; pid: number; hosted: boolean };
type Entry = WatchedPane & { watcher: PaneWatcher };

export function createPaneWatch(tmux: Pick<TmuxClient, "listPanes">, everyMs = 2000): PaneWatch {
  const entries = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;

  function schedule() {
    if (timer !== undefined || entries.size === 0) return;
    timer = setTimeout(() => void ask(), everyMs).unref();
  }

  async function ask() {
    // A server that does not answer now is asked again; one that is not there has no panes.
    const panes = await tmux.listPanes().catch(() => undefined);
    timer = undefined;
    for (const entry of panes === undefined ? [] : [...entries]) {
      const info = panes?.find(({ id, pid }) => id === entry.id && pid === entry.pid);
      if (info !== undefined && !info.dead && (entry.hosted || !isShell(info.command))) {
        entry.watcher.seen(info);
        continue;
      }
      if (entries.delete(entry)) entry.watcher.gone(info);
    }
    schedule();
  }

  return {
    add(pane, watcher) {
      const entry = { id: pane.id, pid: pane.pid, hosted: pane.hosted, watcher };
      entries.add(entry);
      schedule();
      return () => {
        entries.delete(entry);
        if (entries.size > 0 || timer === undefined) return;
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}
