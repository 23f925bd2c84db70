import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Screen } from "../../../contract/http/turns.js";
import { HubError } from "../../../model/errors.js";
import type { AgentRow } from "../../hub/agent-store.js";
import { hub } from "../../hub/hub.js";
import { Chip } from "../../parts/chip.js";
import { CommandLine } from "../../parts/empty-state.js";
import { ErrorCard } from "../../parts/error-card.js";
import { Skeleton } from "../../parts/skeleton.js";
import { sayClockSeconds } from "../../parts/time.js";
import { isAtEnd } from "../end-follower.js";
import { ScreenView } from "./screen-view.js";
import "./terminal-tab.css";

const EVERY_MS = 700;

/** The screen of an agent's pane, as it is now, while somebody looks. */
export function TerminalTab({ agent }: { agent: AgentRow }) {
  const { screen, changedAt, error, retry } = useScreen(agent.id);
  const { ground, onScroll } = useFollowedEnd(screen);
  return (
    <div className="terminal">
      <div className="terminal__bar">
        <Chip tone="outline">read only</Chip>
        {agent.tmux === undefined ? null : <code>{agent.tmux.session}</code>}
        {screen === undefined ? null : (
          <span>
            {screen.columns} × {screen.rows}
          </span>
        )}
        {changedAt === undefined ? null : (
          <span className="terminal__change">last change {sayClockSeconds(changedAt)}</span>
        )}
        <CommandLine command={`huddle attach ${agent.name}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <div className="terminal__ground" tabIndex={0} ref={ground} onScroll={onScroll}>
        {error === undefined ? null : (
          <ErrorCard title={`The screen of ${agent.name} could not be read`} error={error} retry={retry} />
        )}
        {screen === undefined ? (
          error === undefined ? (
            <Skeleton lines={12} />
          ) : null
        ) : (
          <ScreenView screen={screen} />
        )}
      </div>
    </div>
  );
}

/** Programs write at the end of their screen: it stays in view, unless the reader went up. */
function useFollowedEnd(screen: Screen | undefined) {
  const ground = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const element = ground.current;
    if (screen !== undefined && element !== null && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [screen]);
  const onScroll = () => {
    const element = ground.current;
    if (element === null) return;
    const { scrollTop: offset, scrollHeight: size, clientHeight: viewport } = element;
    atEnd.current = isAtEnd({ offset, size, viewport });
  };
  return { ground, onScroll };
}

type Look = { screen?: Screen; changedAt?: number; error?: unknown };

/** Asks again a moment after each answer, and not while the page is hidden. */
function useScreen(id: string): Look & { retry: () => void } {
  const [look, setLook] = useState<Look>({});
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    let timer: number | undefined;
    const ask = async () => {
      try {
        if (document.visibilityState === "visible") {
          const screen = await hub.screen(id, { signal: stop.signal });
          setLook((before) => (isSame(before.screen, screen) ? before : { screen, changedAt: Date.now() }));
        }
      } catch (error) {
        if (stop.signal.aborted) return;
        setLook((before) => ({ ...before, error }));
        if (error instanceof HubError && error.code === "NO_SCREEN") return;
      }
      if (!stop.signal.aborted) timer = window.setTimeout(() => void ask(), EVERY_MS);
    };
    void ask();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [id, tries]);
  return {
    ...look,
    retry: () => {
      setLook({});
      setTries(tries + 1);
    },
  };
}

function isSame(before: Screen | undefined, now: Screen): boolean {
  if (before === undefined) return false;
  const { cursor } = before;
  return before.ansi === now.ansi && cursor?.column === now.cursor?.column && cursor?.row === now.cursor?.row;
}
