import type { ReactNode } from "react";
import "./chip.css";

export type Tone = "plain" | "outline" | "blue" | "amber" | "red" | "green";

/** A word or two about what stands beside it. */
export function Chip({
  tone = "plain",
  icon,
  title,
  children,
}: {
  tone?: Tone | undefined;
  icon?: ReactNode;
  title?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span className={`chip chip--${tone}`} title={title}>
      {icon}
      {children}
    </span>
  );
}

/** How many: `blue` is what waits for the person. */
export function Count({ value, tone = "plain" }: { value: number; tone?: "plain" | "blue" }) {
  return <span className={`count count--${tone}`}>{value > 99 ? "99+" : value}</span>;
}
