import { Check } from "lucide-react";
import type { KeyboardEvent, ReactNode, RefObject } from "react";
import { type Placement, Popover } from "./popover.js";

export type MenuItem = {
  label: string;
  icon?: ReactNode;
  hint?: ReactNode;
  danger?: boolean;
  off?: boolean;
  /** Which of several is chosen. */
  checked?: boolean;
  act: () => void;
};

/** Things to do with what it hangs on. */
export function Menu({
  label,
  anchor,
  placement = "below-end",
  items,
  onClose,
}: {
  label: string;
  anchor: RefObject<HTMLElement | null>;
  placement?: Placement;
  items: readonly MenuItem[];
  onClose: () => void;
}) {
  return (
    <Popover anchor={anchor} placement={placement} onClose={onClose}>
      <div className="menu" role="menu" tabIndex={-1} aria-label={label} onKeyDown={moveFocus}>
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role={item.checked === undefined ? "menuitem" : "menuitemradio"}
            {...(item.checked === undefined ? {} : { "aria-checked": item.checked })}
            className={`menu__item ${item.danger === true ? "menu__item--danger" : ""}`}
            disabled={item.off === true}
            onClick={() => {
              onClose();
              item.act();
            }}
          >
            {item.icon}
            <span className="menu__label">{item.label}</span>
            {item.checked === true && <Check size={14} aria-hidden="true" />}
            {item.hint !== undefined && <span className="menu__hint">{item.hint}</span>}
          </button>
        ))}
      </div>
    </Popover>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
  const now = items.findIndex((item) => item.matches(":focus"));
  const next = Number.isFinite(step)
    ? (now + step + items.length) % items.length
    : step < 0
      ? 0
      : items.length - 1;
  items[next]?.focus();
}
