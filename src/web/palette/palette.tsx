import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Inbox, MessageSquare, Moon, Pause, Play, Plus, Power, Search, Sun, SunMoon } from "lucide-react";
import { type ReactNode, useDeferredValue, useState } from "react";
import type { AgentRow } from "../hub/agent-store.js";
import { hub } from "../hub/hub.js";
import { shownStatusOf, useAgents } from "../hub/use-agents.js";
import { useNeeds } from "../hub/use-hub.js";
import { Dialog } from "../parts/dialog.js";
import { sayWhy } from "../parts/error-card.js";
import { Key } from "../parts/key.js";
import { Monogram } from "../parts/monogram.js";
import { ShownText } from "../parts/shown-text.js";
import { StatusLine } from "../parts/status-glyph.js";
import { sayWhen, toMs } from "../parts/time.js";
import { showToast } from "../parts/toast-store.js";
import { goTo, hrefOf, type Place } from "../shell/places.js";
import { setTheme } from "../shell/theme.js";
import { useKeys } from "../shell/use-keys.js";
import { Highlight } from "./highlight.js";
import { type AgentAction, actionsOf, excerpt, findFitting, readQuery } from "./palette-items.js";
import { closePalette } from "./palette-store.js";
import "./palette.css";

const FEW = 6;

/** Goes to an agent, a message, a page, or does something, by a few letters of it. */
export function Palette({ start }: { start: string }) {
  const [text, setText] = useState(start);
  const { only, words } = readQuery(text);
  const wants = (kind: string) => only === undefined || only === kind;
  useKeys("Palette", [{ keys: "Escape", label: "close", whileWriting: true, act: closePalette }], {
    inDialog: true,
  });
  return (
    <Dialog title="Go to or do" width={640} top="high" bare onClose={closePalette}>
      <Command className="palette" shouldFilter={false} loop label="Go to or do">
        <div className="palette__head">
          <Search size={16} aria-hidden="true" />
          <Command.Input
            className="palette__input"
            value={text}
            onValueChange={setText}
            placeholder="Go to an agent, a message, an action…"
            data-autofocus
          />
          <span className="palette__signs" aria-hidden="true">
            <b>&gt;</b> actions <b>@</b> agents <b>#</b> messages
          </span>
        </div>
        <Command.List className="palette__list">
          <Command.Empty className="palette__empty">Nothing found.</Command.Empty>
          {wants("agents") && <AgentItems words={words} />}
          {wants("actions") && <ActionItems words={words} />}
          {wants("messages") && <MessageItems words={words} />}
        </Command.List>
        <footer className="palette__foot">
          <span>
            <Key>↑</Key> <Key>↓</Key> move
          </span>
          <span>
            <Key>⏎</Key> open
          </span>
          <span className="palette__end">
            <Key>Esc</Key> close
          </span>
        </footer>
      </Command>
    </Dialog>
  );
}

function Item(props: {
  value: string;
  icon: ReactNode;
  act: () => void;
  end?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Command.Item
      className="palette__item"
      value={props.value}
      onSelect={() => {
        closePalette();
        props.act();
      }}
    >
      <span className="palette__icon">{props.icon}</span>
      <span className="palette__text">{props.children}</span>
      {props.end !== undefined && <span className="palette__hint">{props.end}</span>}
    </Command.Item>
  );
}

function AgentItems({ words }: { words: string }) {
  const agents = useAgents();
  const found = findFitting(agents, words, ({ name, label }) => `${name} ${label ?? ""}`, FEW);
  if (found.length === 0) return null;
  return (
    <Command.Group heading="Agents">
      {found.map((row) => (
        <Item
          key={row.id}
          value={`agent ${row.id}`}
          icon={<Monogram name={row.name} />}
          act={() => goTo({ page: "agent", name: row.name })}
          end={<StatusLine status={shownStatusOf(row)} since={toMs(row.since)} />}
        >
          <strong className="palette__name">
            <Highlight text={row.name} words={words} />
          </strong>
          <span className="palette__about">
            <ShownText text={sayAbout(row)} />
          </span>
        </Item>
      ))}
    </Command.Group>
  );
}

function sayAbout({ label, backend, project }: AgentRow): string {
  return [label, backend, project].filter((word) => word !== null).join(" · ");
}

type PageAction = { text: string; icon: ReactNode; act: () => void; hint?: string; shortcut?: string };

const pageActions: readonly PageAction[] = [
  {
    text: "Go to Needs you",
    icon: <Inbox size={16} />,
    act: () => goTo({ page: "needs-you" }),
    shortcut: "u",
  },
  { text: "New agent", icon: <Plus size={16} />, act: () => goTo({ page: "new-agent" }), shortcut: "+" },
  { text: "Theme: dark", icon: <Moon size={16} />, act: () => setTheme("dark") },
  { text: "Theme: light", icon: <Sun size={16} />, act: () => setTheme("light") },
  { text: "Theme: as the system", icon: <SunMoon size={16} />, act: () => setTheme("system") },
  {
    text: "Pause all agents",
    icon: <Pause size={16} />,
    act: () => void doIt("All agents are paused", () => hub.pauseAll({})),
    hint: "until you resume them",
  },
  {
    text: "Resume all agents",
    icon: <Play size={16} />,
    act: () => void doIt("All agents go on", () => hub.resumeAll()),
  },
];

function ActionItems({ words }: { words: string }) {
  const agents = useAgents();
  const { data } = useNeeds();
  const needs = findFitting(
    data?.items ?? [],
    words,
    ({ text, agent }) => `Answer ${agent ?? ""} ${text}`,
    3,
  );
  const ofAgents = words === "" ? [] : findFitting(agents.flatMap(actionsOf), words, ({ text }) => text, FEW);
  const pages = findFitting(pageActions, words, ({ text }) => text, FEW);
  if (needs.length + ofAgents.length + pages.length === 0) return null;
  return (
    <Command.Group heading="Actions">
      {words !== "" &&
        needs.map(({ id, text, agent }) => (
          <Item
            key={id}
            value={`need ${id}`}
            icon={<Inbox size={16} />}
            act={() => goTo({ page: "needs-you", id })}
            end={<span className="palette__need">needs you</span>}
          >
            <Highlight text={sayNeed(agent, text)} words={words} />
          </Item>
        ))}
      {ofAgents.map((action) => (
        <Item
          key={action.text}
          value={`do ${action.text}`}
          icon={actionIcons[action.kind]}
          act={() => void act(action)}
          end={actionHints[action.kind]}
        >
          <Highlight text={action.text} words={words} />
        </Item>
      ))}
      {pages.map(({ text, icon, act: go, hint, shortcut }) => (
        <Item
          key={text}
          value={`page ${text}`}
          icon={icon}
          act={go}
          end={shortcut === undefined ? hint : <Key>{shortcut}</Key>}
        >
          <Highlight text={text} words={words} />
        </Item>
      ))}
    </Command.Group>
  );
}

function sayNeed(agent: string | null, text: string): string {
  return `Answer ${agent === null ? "" : `${agent}: `}${text.replace(/\s+/g, " ").slice(0, 120)}`;
}

const actionIcons: { readonly [K in AgentAction["kind"]]: ReactNode } = {
  message: <MessageSquare size={16} />,
  pause: <Pause size={16} />,
  resume: <Play size={16} />,
  shutdown: <Power size={16} />,
};

const actionHints: { readonly [K in AgentAction["kind"]]: string } = {
  message: "",
  pause: "after its turn",
  resume: "",
  shutdown: "after its turn",
};

async function act({ kind, agent: { name } }: AgentAction): Promise<void> {
  switch (kind) {
    case "message":
      return goTo({ page: "agent", name });
    case "pause":
      return doIt(`${name} is paused`, () => hub.pause(name, {}), "Its mail waits until you resume it");
    case "resume":
      return doIt(`${name} goes on`, () => hub.resume(name));
    case "shutdown":
      return doIt(`${name} ends after its turn`, () => hub.shutdown(name, {}, { timeoutMs: 40_000 }));
  }
}

async function doIt(done: string, ask: () => Promise<unknown>, text?: string): Promise<void> {
  try {
    await ask();
    showToast({ tone: "done", title: done, text });
  } catch (error) {
    showToast({ tone: "failed", title: "That did not work", text: sayWhy(error) });
  }
}

/** By the hub's own search, as fast as somebody writes. */
function MessageItems({ words }: { words: string }) {
  const asked = useDeferredValue(words);
  const { data } = useQuery({
    queryKey: ["search", asked],
    queryFn: ({ signal }) => hub.search({ q: asked, limit: FEW }, { signal }),
    enabled: asked.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
  if (words.length < 2 || data === undefined || data.messages.length === 0) return null;
  return (
    <Command.Group heading="Messages">
      {data.messages.map(({ id, seq, from, content, timestamp }) => {
        const place: Place = { page: "message", id };
        return (
          <Item
            key={seq}
            value={`message ${seq}`}
            icon={<Monogram name={from} />}
            act={() => goTo(place)}
            end={`${from} · ${sayWhen(toMs(timestamp), Date.now())}`}
          >
            <a className="palette__link" href={hrefOf(place)} tabIndex={-1}>
              <Highlight text={excerpt(content, words)} words={words} />
            </a>
          </Item>
        );
      })}
    </Command.Group>
  );
}
