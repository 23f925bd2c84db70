import { Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { IconButton } from "./button.js";
import "./empty-state.css";

/** What would be here, and how to get it. */
export function EmptyState({
  title,
  children,
  command,
  action,
}: {
  title: string;
  children?: ReactNode;
  command?: string | undefined;
  action?: ReactNode;
}) {
  return (
    <div className="empty-state">
      <h2 className="empty-state__title">{title}</h2>
      {children !== undefined && <p className="empty-state__text">{children}</p>}
      {command !== undefined && <CommandLine command={command} />}
      {action}
    </div>
  );
}

/** A command to type into a terminal, with a button that copies it. */
export function CommandLine({ command }: { command: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard.writeText(command).then(() => {
      setCopied(true);
      window.setTimeout(() => setCopied(false), 2000);
    });
  return (
    <div className="command-line">
      <span className="command-line__prompt" aria-hidden="true">
        $
      </span>
      <code className="command-line__text">{command}</code>
      <IconButton
        className="command-line__copy"
        label={isCopied ? "Copied" : `Copy ${command}`}
        icon={isCopied ? <Check size={14} /> : <Copy size={14} />}
        onClick={copy}
      />
    </div>
  );
}
