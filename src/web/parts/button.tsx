import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import "./button.css";
import { Key } from "./key.js";

type ButtonKind = "rest" | "primary" | "danger" | "quiet";

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type"> & {
  kind?: ButtonKind | undefined;
  /** 28 is the usual height, 24 the one inside rows. A phone makes both 36. */
  size?: 24 | 28 | undefined;
  icon?: ReactNode;
  /** The key that does the same. */
  shortcut?: string | undefined;
  /** It was pressed, and its answer is not there yet: it shows that, and does nothing more. */
  working?: boolean | undefined;
  type?: "button" | "submit" | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
};

export function Button({
  kind = "rest",
  size = 28,
  icon,
  shortcut,
  working = false,
  type = "button",
  disabled = false,
  className = "",
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={`button button--${kind} button--${size} ${className}`}
      disabled={disabled || working}
      aria-busy={working || undefined}
    >
      {working ? <Spinner /> : icon}
      <span className="button__label">{children}</span>
      {shortcut !== undefined && !disabled && !working && (
        <Key on={kind === "primary" ? "person" : "plain"}>{shortcut}</Key>
      )}
    </button>
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type"> & {
  label: string;
  icon: ReactNode;
  ref?: Ref<HTMLButtonElement> | undefined;
};

/** A button that is only a picture; `label` is its name and its tooltip. */
export function IconButton({ label, icon, className = "", ...rest }: IconButtonProps) {
  return (
    <button {...rest} type="button" className={`icon-button ${className}`} aria-label={label} title={label}>
      {icon}
    </button>
  );
}

/** Something is going on. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />;
}
