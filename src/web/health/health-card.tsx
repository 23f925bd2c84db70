import { type ReactNode, useId } from "react";

/** A framed part of the page, with what there is to say about it at the right of its head. */
export function HealthCard({
  title,
  about,
  children,
}: {
  title: string;
  about?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="health-card" aria-labelledby={id}>
      <header className="health-card__head">
        <h2 className="health-card__title" id={id}>
          {title}
        </h2>
        {about !== undefined && <span className="health-card__about figures">{about}</span>}
      </header>
      {children}
    </section>
  );
}

/** How much of a limit is used; amber when little is left. The figures stand beside it. */
export function UseBar({ used, most }: { used: number; most: number }) {
  const part = most === 0 ? 0 : Math.min(1, used / most);
  return (
    <svg
      className="use-bar"
      viewBox="0 0 96 4"
      width="96"
      height="4"
      aria-hidden="true"
      preserveAspectRatio="none"
    >
      <rect className="use-bar__ground" width="96" height="4" rx="2" />
      {used > 0 && (
        <rect
          className={part >= 0.75 ? "use-bar__used use-bar__used--much" : "use-bar__used"}
          width={Math.max(2, part * 96)}
          height="4"
          rx="2"
        />
      )}
    </svg>
  );
}
