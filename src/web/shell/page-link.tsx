import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useContact } from "../hub/connection.js";
import { useMailRate } from "../hub/mail-rate.js";
import { useNeedsCount, useProblemCount } from "../hub/use-hub.js";
import { Count } from "../parts/chip.js";
import { sayRate } from "../parts/say-rate.js";
import { RequestsAbout } from "../requests/requests-about.js";
import { WorkflowsAbout } from "../workflows/workflows-about.js";
import type { NavPage } from "./nav-pages.js";
import { hrefOf } from "./places.js";

/** A page in the sidebar, with what there is to know about it without going there. */
export function PageLink({ page, isChosen }: { page: NavPage; isChosen: boolean }) {
  const About = abouts[page.place.page];
  return (
    <a className="page-link" href={hrefOf(page.place)} aria-current={isChosen ? "page" : undefined}>
      {page.icon}
      <span className="page-link__name">{page.name}</span>
      {About !== undefined && <About />}
    </a>
  );
}

const abouts: { readonly [page: string]: (() => ReactNode) | undefined } = {
  "needs-you": NeedsCount,
  network: NetworkRate,
  requests: RequestsAbout,
  workflows: WorkflowsAbout,
  health: ProblemCount,
};

function NeedsCount() {
  const count = useNeedsCount() ?? 0;
  const contact = useContact();
  if (count === 0) return null;
  return contact === "unknown" ? (
    <span className="figures">{count}</span>
  ) : (
    <Count value={count} tone="blue" />
  );
}

/** How much agents write to each other. */
function NetworkRate() {
  const perMinute = useMailRate();
  const contact = useContact();
  if (perMinute === 0 || contact === "unknown") return null;
  return (
    <span className="page-link__about figures">
      {sayRate(perMinute)}/min<span className="visually-hidden"> between agents</span>
    </span>
  );
}

/** What is wrong with the hub. */
function ProblemCount() {
  const count = useProblemCount();
  if (count === 0) return null;
  return (
    <span className="page-link__problems figures">
      <TriangleAlert size={13} strokeWidth={1.75} aria-hidden="true" />
      {count}
      <span className="visually-hidden">{count === 1 ? " problem" : " problems"}</span>
    </span>
  );
}
