import { Ellipsis, HandHelping, Inbox, MessagesSquare, Waypoints } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useContact } from "../hub/connection.js";
import { useNeedsCount } from "../hub/use-hub.js";
import { openPalette } from "../palette/palette-store.js";
import { Count } from "../parts/chip.js";
import { Menu } from "../parts/menu.js";
import "./bottom-bar.css";
import { goTo, hrefOf, type Place } from "./places.js";

/** The phone's navigation: Needs you first. */
export function BottomBar({ place }: { place: Place }) {
  const count = useNeedsCount() ?? 0;
  const contact = useContact();
  const more = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isAgents = place.page === "home" || place.page === "agent" || place.page === "message";
  return (
    <nav className="bottom-bar" aria-label="Pages">
      <Tab place={{ page: "needs-you" }} isChosen={place.page === "needs-you"} label="Needs you">
        <Inbox size={20} strokeWidth={1.75} aria-hidden="true" />
        {count > 0 && contact !== "unknown" && <Count value={count} tone="blue" />}
      </Tab>
      <Tab place={{ page: "home" }} isChosen={isAgents} label="Agents">
        <MessagesSquare size={20} strokeWidth={1.75} aria-hidden="true" />
      </Tab>
      <Tab place={{ page: "network" }} isChosen={place.page === "network"} label="Network">
        <Waypoints size={20} strokeWidth={1.75} aria-hidden="true" />
      </Tab>
      <Tab place={{ page: "requests" }} isChosen={place.page === "requests"} label="Requests">
        <HandHelping size={20} strokeWidth={1.75} aria-hidden="true" />
      </Tab>
      <button
        ref={more}
        type="button"
        className="bottom-bar__tab"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <span className="bottom-bar__icon">
          <Ellipsis size={20} strokeWidth={1.75} aria-hidden="true" />
        </span>
        More
      </button>
      {isOpen && (
        <Menu
          label="More"
          anchor={more}
          placement="above-end"
          onClose={() => setOpen(false)}
          items={[
            { label: "Workflows", act: () => goTo({ page: "workflows" }) },
            { label: "Log", act: () => goTo({ page: "log" }) },
            { label: "Health", act: () => goTo({ page: "health" }) },
            { label: "New agent", act: () => goTo({ page: "new-agent" }) },
            { label: "Search and actions", act: () => openPalette() },
          ]}
        />
      )}
    </nav>
  );
}

function Tab(props: { place: Place; isChosen: boolean; label: string; children: ReactNode }) {
  return (
    <a
      className="bottom-bar__tab"
      href={hrefOf(props.place)}
      aria-current={props.isChosen ? "page" : undefined}
    >
      <span className="bottom-bar__icon">{props.children}</span>
      {props.label}
    </a>
  );
}
