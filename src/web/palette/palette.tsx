import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Inbox, ScrollText, Search } from "lucide-react";
import { useDeferredValue, useRef, useState } from "react";
import type { AgentRow } from "../hub/agent-store.js";
import { hub } from "../hub/hub.js";
import { shownStatusOf, useAgents } from "../hub/use-agents.js";
import { useNeeds } from "../hub/use-hub.js";
import { Dialog } from "../parts/dialog.js";
import { Key } from "../parts/key.js";
import { Monogram } from "../parts/monogram.js";
import { ShownText } from "../parts/shown-text.js";
import { StatusLine } from "../parts/status-glyph.js";
import { sayWhen, toMs } from "../parts/time.js";
import { goTo, hrefOf, type Place } from "../shell/places.js";
import { useKeys } from "../shell/use-keys.js";
import { Highlight } from "./highlight.js";
import { agentActions, conversationActions, pageActions, pairActions } from "./palette-actions.js";
import { PaletteItem } from "./palette-item.js";
import { excerpt, findFitting, readQuery } from "./palette-items.js";
import { closePalette } from "./palette-store.js";
import "./palette.css";
import { useFirstChosen } from "./use-first-chosen.js";
import { WorkItems } from "./work-items.js";

const FEW = 6;

/** Goes to an agent, a message, a page, or does something, by a few letters of it. */
export function Palette({ start }: { start: string }) {
  const [text, setText] = useState(start);
  const { only, words } = readQuery(text);
  const list = useRef<HTMLDivElement>(null);
  const { chosen, choose, noteMove } = useFirstChosen(text, list);
  const wants = (kind: string) => only === undefined || only === kind;
  useKeys("Palette", [{ keys: "Escape", label: "close", whileWriting: true, act: closePalette }], {
    inDialog: true,
  });
  return (
    <Dialog title="Go to or do" width={640} top="high" bare onClose={closePalette}>
      <Command
        className="palette"
        shouldFilter={false}
        loop
        label="Go to or do"
        value={chosen}
        onValueChange={choose}
        onPointerMove={noteMove}
        onKeyDown={({ key }) => {
          if (/^(Arrow|Home|End)/.test(key)) noteMove();
        }}
      >
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
        <Command.List className="palette__list" ref={list}>
          <Command.Empty className="palette__empty">Nothing found.</Command.Empty>
          {wants("agents") && <AgentItems words={words} />}
          {wants("actions") && <ActionItems words={words} />}
          {only === undefined && <WorkItems words={words} />}
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

function AgentItems({ words }: { words: string }) {
  const agents = useAgents();
  const found = findFitting(agents, words, ({ name, label }) => `${name} ${label ?? ""}`, FEW);
  if (found.length === 0) return null;
  return (
    <Command.Group heading="Agents">
      {found.map((row) => (
        <PaletteItem
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
        </PaletteItem>
      ))}
    </Command.Group>
  );
}

function sayAbout({ label, backend, project }: AgentRow): string {
  return [label, backend, project].filter((word) => word !== null).join(" · ");
}

/** Everything that can be done, the best fit first, whatever it is about. */
function ActionItems({ words }: { words: string }) {
  const agents = useAgents();
  const { data } = useNeeds();
  const network = useNetwork(words !== "");
  const needs =
    words === "" ? [] : findFitting(data?.items ?? [], words, ({ text, agent }) => sayNeed(agent, text), 3);
  const all = [
    ...pageActions,
    ...agents.flatMap(agentActions),
    ...(network?.pairs.flatMap(pairActions) ?? []),
    ...(network?.conversations.flatMap(conversationActions) ?? []),
  ].filter(({ quiet }) => words !== "" || quiet !== true);
  const found = findFitting(all, words, ({ text }) => text, words === "" ? FEW : 2 * FEW);
  if (needs.length + found.length === 0) return null;
  return (
    <Command.Group heading="Actions">
      {needs.map(({ id, text, agent }) => (
        <PaletteItem
          key={id}
          value={`need ${id}`}
          icon={<Inbox size={16} />}
          act={() => goTo({ page: "needs-you", id })}
          end={<span className="palette__need">needs you</span>}
        >
          <Highlight text={sayNeed(agent, text)} words={words} />
        </PaletteItem>
      ))}
      {found.map(({ text, icon, act, hint, shortcut }) => (
        <PaletteItem
          key={text}
          value={`do ${text}`}
          icon={icon}
          act={act}
          end={shortcut === undefined ? hint : <Key>{shortcut}</Key>}
        >
          <Highlight text={text} words={words} />
        </PaletteItem>
      ))}
    </Command.Group>
  );
}

/** Pairs and what waits of conversations, once somebody writes. */
function useNetwork(isWanted: boolean) {
  const { data } = useQuery({
    queryKey: ["palette-network"],
    queryFn: async ({ signal }) => {
      const [{ pairs }, { conversations }] = await Promise.all([
        hub.pairs({ signal }),
        hub.conversations({ state: "paused" }, { signal }),
      ]);
      return { pairs, conversations };
    },
    staleTime: 5_000,
    enabled: isWanted,
  });
  return data;
}

function sayNeed(agent: string | null, text: string): string {
  return `Answer ${agent === null ? "" : `${agent}: `}${text.replace(/\s+/g, " ").slice(0, 120)}`;
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
  if (words === "") return null;
  const messages = words.length < 2 ? [] : (data?.messages ?? []);
  return (
    <Command.Group heading="Messages">
      {messages.map(({ id, seq, from, content, timestamp }) => {
        const place: Place = { page: "message", id };
        return (
          <PaletteItem
            key={seq}
            value={`message ${seq}`}
            icon={<Monogram name={from} />}
            act={() => goTo(place)}
            end={`${from} · ${sayWhen(toMs(timestamp), Date.now())}`}
          >
            <a className="palette__link" href={hrefOf(place)} tabIndex={-1}>
              <Highlight text={excerpt(content, words)} words={words} />
            </a>
          </PaletteItem>
        );
      })}
      <PaletteItem
        value="search the log"
        icon={<ScrollText size={16} />}
        act={() => goTo({ page: "log", id: words })}
        end="log"
      >
        Search the log for{" "}
        <strong className="palette__name">
          <ShownText text={words} />
        </strong>
      </PaletteItem>
    </Command.Group>
  );
}
