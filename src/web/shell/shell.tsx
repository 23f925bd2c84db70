import { type ReactNode, useEffect } from "react";
import { useAgentStore } from "../hub/agent-store.js";
import { queries } from "../hub/hub.js";
import { nextUnread } from "../hub/unread.js";
import { PaletteHost } from "../palette/palette-host.js";
import { openPalette } from "../palette/palette-store.js";
import { Toasts } from "../parts/toasts.js";
import { Announcer } from "./announcer.js";
import { BottomBar } from "./bottom-bar.js";
import { ConnectionStrip } from "./connection-strip.js";
import { Footer } from "./footer.js";
import { closeHelp, openHelp, useHelp } from "./help-store.js";
import { KeyHelp } from "./key-help.js";
import { listenForKeys } from "./keys.js";
import { navPages } from "./nav-pages.js";
import { useTabBadge } from "./page-title.js";
import { goTo, type Place } from "./places.js";
import "./shell.css";
import { Sidebar } from "./sidebar.js";
import { TopBar } from "./top-bar.js";
import { useKeys } from "./use-keys.js";
import { usePhone } from "./use-phone.js";

/** What is around every page. `agentId`: whose page it is. */
export function Shell({
  place,
  agentId,
  children,
}: {
  place: Place;
  agentId: string | undefined;
  children: ReactNode;
}) {
  const isPhone = usePhone();
  const isHelping = useHelp(({ isOpen }) => isOpen);
  useTabBadge();
  useEffect(() => listenForKeys(), []);
  useShellKeys(place, agentId, openHelp);
  return (
    <div className="shell">
      <button type="button" className="shell__skip" onClick={() => document.getElementById("page")?.focus()}>
        Skip to the page
      </button>
      <TopBar onHelp={openHelp} />
      <ConnectionStrip />
      {!isPhone && <Sidebar place={place} agentId={agentId} />}
      <main className="shell__page" id="page" tabIndex={-1}>
        {children}
      </main>
      {isPhone ? <BottomBar place={place} /> : <Footer onHelp={openHelp} />}
      {isHelping && <KeyHelp onClose={closeHelp} />}
      <PaletteHost />
      <Toasts />
      <Announcer />
    </div>
  );
}

function useShellKeys(place: Place, agentId: string | undefined, onHelp: () => void): void {
  useKeys(
    "Everywhere",
    [
      { keys: "n", label: "next unread", act: () => goToUnread(agentId) },
      { keys: "u", label: "needs you", act: () => goToNeed(place) },
      { keys: "mod+k", label: "palette", whileWriting: true, act: () => openPalette() },
      { keys: "/", label: "search", quiet: true, act: () => openPalette("#") },
      { keys: "g c", label: "go to the chat", quiet: true, act: () => goToAgent(agentId, 0) },
      ...navPages.map(({ keys, name, place: to }) => ({
        keys,
        label: `go to ${name}`,
        quiet: true,
        act: () => goTo(to),
      })),
      { keys: "J", label: "next agent", quiet: true, act: () => goToAgent(agentId, 1) },
      { keys: "K", label: "previous agent", quiet: true, act: () => goToAgent(agentId, -1) },
      { keys: "+", label: "new agent", quiet: true, act: () => goTo({ page: "new-agent" }) },
      { keys: "?", label: "all keys", quiet: true, act: onHelp },
      { keys: "Escape", label: "leave the field", quiet: true, whileWriting: true, act: leaveField },
    ],
    { isOuter: true },
  );
}

function goToUnread(agentId: string | undefined): void {
  const { ids, byId } = useAgentStore.getState();
  const row = byId.get(nextUnread(ids, agentId) ?? "");
  if (row !== undefined) goTo({ page: "agent", name: row.name });
}

/** The next of what waits for the person, after the one that is looked at. */
function goToNeed(place: Place): void {
  const items = queries.getQueryData<{ items: readonly { id: string }[] }>(["needs"])?.items ?? [];
  const now = place.page === "needs-you" ? items.findIndex(({ id }) => id === place.id) : -1;
  const next = items[(now + 1) % Math.max(1, items.length)];
  goTo(next === undefined ? { page: "needs-you" } : { page: "needs-you", id: next.id });
}

function goToAgent(agentId: string | undefined, step: number): void {
  const { ids, byId } = useAgentStore.getState();
  const now = agentId === undefined ? -1 : ids.indexOf(agentId);
  const next = now < 0 ? 0 : Math.max(0, Math.min(now + step, ids.length - 1));
  const row = byId.get(ids[next] ?? "");
  if (row !== undefined) goTo({ page: "agent", name: row.name });
}

function leaveField(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
