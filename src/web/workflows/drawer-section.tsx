import type { ReactNode } from "react";

/** A part of the drawer, with its title and what stands at the end of that line. */
export function DrawerSection({
  title,
  aside,
  children,
}: {
  title?: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="drawer-section">
      {title !== undefined && (
        <header className="drawer-section__head">
          <h3 className="drawer-section__title">{title}</h3>
          {aside !== undefined && <span className="drawer-section__aside figures">{aside}</span>}
        </header>
      )}
      {children}
    </section>
  );
}
