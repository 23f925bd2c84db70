import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./button.js";
import "./dialog.css";

/**
 * Focus goes to what has `data-autofocus`. The browser's own dialog: it keeps focus inside, gives it back afterwards, and makes the rest of the page inert. It is
 * there while it is rendered.
 */
export function Dialog({
  title,
  onClose,
  width = 680,
  footer,
  bare = false,
  top,
  children,
}: {
  title: string;
  onClose: () => void;
  width?: 420 | 640 | 680;
  footer?: ReactNode;
  /** Without a head: the title is only read out. */
  bare?: boolean;
  /** So far from the top; in the middle without. */
  top?: "high" | undefined;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.open) return;
    element.showModal();
    // The browser goes to the first thing that can have focus, which is seldom the one that is wanted.
    element.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => element.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, by the browser
    <dialog
      ref={dialog}
      className={`dialog dialog--${width} ${top === "high" ? "dialog--high" : ""}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // It is React that takes it away.
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="dialog__box">
        {bare ? (
          <h2 id={titleId} className="visually-hidden">
            {title}
          </h2>
        ) : (
          <header className="dialog__head">
            <h2 id={titleId} className="dialog__title">
              {title}
            </h2>
            <IconButton label="Close" icon={<X size={16} />} onClick={onClose} />
          </header>
        )}
        {children}
        {footer !== undefined && <footer className="dialog__foot">{footer}</footer>}
      </div>
    </dialog>
  );
}
