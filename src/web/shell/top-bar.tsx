import { CircleQuestionMark, Search, SunMoon } from "lucide-react";
import { useRef, useState } from "react";
import { useConnection, useContact } from "../hub/connection.js";
import { useNeedsCount } from "../hub/use-hub.js";
import { openPalette } from "../palette/palette-store.js";
import { IconButton } from "../parts/button.js";
import { Count } from "../parts/chip.js";
import { Key } from "../parts/key.js";
import { Menu } from "../parts/menu.js";
import { sayClock } from "../parts/time.js";
import { Logo } from "./logo.js";
import { hrefOf } from "./places.js";
import { paletteSign } from "./say-key.js";
import { setTheme, type Theme, useTheme } from "./theme.js";
import "./top-bar.css";
import { usePhone } from "./use-phone.js";

export function TopBar({ onHelp }: { onHelp: () => void }) {
  const isPhone = usePhone();
  return (
    <header className="top-bar">
      <a className="top-bar__brand" href={hrefOf({ page: "home" })}>
        <Logo />
        <span className="top-bar__name">huddle</span>
      </a>
      <LiveWord />
      {isPhone ? (
        <IconButton
          className="top-bar__search-icon"
          label="Search"
          icon={<Search size={18} />}
          onClick={() => openPalette()}
        />
      ) : (
        <button type="button" className="top-bar__search" onClick={() => openPalette()}>
          <Search size={14} aria-hidden="true" />
          <span className="top-bar__hint">Go to an agent, a message, an action…</span>
          <Key>{paletteSign}</Key>
        </button>
      )}
      <span className="top-bar__end">
        {!isPhone && <NeedsButton />}
        <ThemeButton />
        {!isPhone && <IconButton label="All keys" icon={<CircleQuestionMark size={16} />} onClick={onHelp} />}
      </span>
    </header>
  );
}

/** Whether what is on the page is what happens now. */
function LiveWord() {
  const contact = useContact();
  const isLost = contact === "lost" || contact === "unknown";
  const word = isLost ? "reconnecting" : contact;
  return (
    <span className={`live-word live-word--${isLost ? "lost" : contact}`} role="status">
      <span className="live-word__dot" aria-hidden="true" />
      {word}
    </span>
  );
}

function NeedsButton() {
  const count = useNeedsCount();
  const contact = useContact();
  const heard = useConnection(({ connection }) =>
    connection.kind === "reconnecting" ? connection.lastUpdate : undefined,
  );
  if (count === undefined) return null;
  if (contact === "unknown" && heard !== undefined)
    return (
      <span className="top-bar__quiet">
        {count} needed you at {sayClock(heard)}
      </span>
    );
  if (count === 0) return <span className="top-bar__quiet">Nothing needs you</span>;
  return (
    <a className="needs-button" href={hrefOf({ page: "needs-you" })}>
      Needs you <Count value={count} tone="blue" />
      <Key on="blue">u</Key>
    </a>
  );
}

const themeWords: { readonly [T in Theme]: string } = {
  system: "As the system",
  dark: "Dark",
  light: "Light",
};

function ThemeButton() {
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const theme = useTheme((state) => state.theme);
  return (
    <>
      <IconButton
        ref={anchor}
        label="Theme"
        icon={<SunMoon size={16} />}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Menu
          label="Theme"
          anchor={anchor}
          onClose={() => setOpen(false)}
          items={(["system", "dark", "light"] as const).map((one) => ({
            label: themeWords[one],
            checked: one === theme,
            act: () => setTheme(one),
          }))}
        />
      )}
    </>
  );
}
