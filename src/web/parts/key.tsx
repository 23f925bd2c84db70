import "./key.css";

/** A key of the keyboard. `on` says on what it stands: `person` is the blue of a primary button. */
export function Key({ children, on = "plain" }: { children: string; on?: "plain" | "person" | "blue" }) {
  return <kbd className={`key key--${on}`}>{children}</kbd>;
}
