import type { ReactNode } from "react";
import "./page-frame.css";

/**
 * A page with its panel beside it: details are 304 wide, a thread 360. On a phone a panel takes the place of the page; give one
 * there only when somebody asked for it.
 */
export function PageFrame({
  children,
  panel,
  panelLabel,
  panelWidth = 304,
}: {
  children: ReactNode;
  panel?: ReactNode;
  panelLabel?: string | undefined;
  panelWidth?: 304 | 360;
}) {
  return (
    <div className="page-frame">
      <div className="page-frame__page">{children}</div>
      {panel !== undefined && panel !== null && panel !== false && (
        <aside className={`page-frame__panel page-frame__panel--${panelWidth}`} aria-label={panelLabel}>
          {panel}
        </aside>
      )}
    </div>
  );
}
