import { TriangleAlert } from "lucide-react";
import { createContext, type ReactNode, use } from "react";
import { HubError } from "../../model/errors.js";
import { Ago } from "../parts/elapsed.js";
import { sayWhy } from "../parts/error-card.js";
import { Monogram } from "../parts/monogram.js";
import { ShownText } from "../parts/shown-text.js";
import type { Answer } from "./say-answer.js";
import { sayAnswer } from "./say-answer.js";
import type { Need, ShownNeed } from "./shown-needs.js";
import type { ActState } from "./use-act.js";

/** What cards share: whether clicks count now, and how what was settled was answered. */
export const NeedContext = createContext<{
  isSteady: () => boolean;
  canAct: boolean;
  answerOf: (id: string) => Answer | undefined;
}>({ isSteady: () => true, canAct: true, answerOf: () => undefined });

/** A need with all that is decided upon, and what can be done about it. */
export function NeedCard({
  shown: { need, state },
  who,
  says,
  aside,
  children,
  actions,
  failed,
}: {
  shown: ShownNeed;
  /** The names of those whom it is about. */
  who: readonly string[];
  /** Who does what: `cart-dev asks to edit a file`. */
  says: { name: string; what: string };
  /** At the upper right: a chip, a ring. */
  aside?: ReactNode;
  children?: ReactNode;
  actions: ReactNode;
  failed?: ActState | undefined;
}) {
  const isSettled = state.kind === "settled";
  return (
    <article
      className={`need ${isSettled ? "need--settled" : ""}`}
      data-need={need.id}
      data-kind={need.kind}
      data-agent={need.agent ?? undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on the card that has the focus
      tabIndex={0}
      aria-label={`${says.name} ${says.what}`}
    >
      <header className="need__head">
        <span className="need__tiles">
          {who.map((name) => (
            <Monogram key={name} name={name} />
          ))}
        </span>
        <h2 className="need__says">
          <span className="need__name">
            <ShownText text={says.name} />
          </span>{" "}
          <span className="need__what">
            <ShownText text={says.what} />
          </span>
        </h2>
        <span className="need__aside">
          {!isSettled && aside}
          <Ago at={need.at} />
        </span>
      </header>
      {children}
      {isSettled ? <Settled need={need} /> : <div className="need__actions">{actions}</div>}
      {!isSettled && failed?.kind === "failed" && <Failed error={failed.error} />}
    </article>
  );
}

/** It is answered; nothing in it can be pressed any more. */
function Settled({ need }: { need: Need }) {
  const { answerOf } = use(NeedContext);
  const answer = answerOf(need.id);
  return (
    <p className="need__settled" role="status">
      {sayAnswer(answer ?? {})}
    </p>
  );
}

/** What failed, why, and what to do. */
function Failed({ error }: { error: unknown }) {
  return (
    <p className="need__failed" role="alert">
      <TriangleAlert size={14} aria-hidden="true" />
      <span>
        <ShownText text={sayWhy(error)} /> {nextStep(error)}
      </span>
    </p>
  );
}

function nextStep(error: unknown): string {
  if (!(error instanceof HubError)) return "";
  switch (error.code) {
    case "PERMISSION_ANSWERED":
    case "STEP_NOT_WAITING":
    case "BUDGET_NOT_REACHED":
      return "Nothing more is needed: the first answer counts.";
    case "HUB_UNREACHABLE":
    case "TIMED_OUT":
    case "OUTCOME_UNKNOWN":
      return "Look whether it is still here when the connection is back, and press again.";
    default:
      return "";
  }
}

/** Facts in a row: `folder ~/shop/cart   tool Edit (codex)`. */
export function NeedFacts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ReactNode] | undefined)[];
}) {
  const known = facts.filter((fact) => fact !== undefined);
  if (known.length === 0) return null;
  return (
    <dl className="need__facts">
      {known.map(([name, value]) => (
        <div key={name} className="need__fact">
          <dt>{name}</dt> <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
