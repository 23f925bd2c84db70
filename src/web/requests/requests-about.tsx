import { useOpenRequestCount } from "../hub/use-work.js";

/** In the sidebar: how many requests nobody has claimed. */
export function RequestsAbout() {
  const count = useOpenRequestCount() ?? 0;
  if (count === 0) return null;
  return (
    <span className="page-link__about figures">
      {count > 99 ? "99+" : count}
      <span className="visually-hidden"> open</span>
    </span>
  );
}
