import { Check, TriangleAlert } from "lucide-react";
import type { HealthDetails } from "../../client/hub-client.js";
import { ShownText } from "../parts/shown-text.js";
import { HealthCard } from "./health-card.js";

/** What is wrong, and the next step. */
export function ProblemsCard({ problems }: { problems: HealthDetails["problems"] }) {
  return (
    <HealthCard title="Problems" about={problems.length === 0 ? "none" : problems.length}>
      <ul className="health-list">
        {problems.length === 0 && (
          <li className="health-problem">
            <Check size={14} className="health-problem__well" aria-hidden="true" />
            <p className="health-problem__text">The hub works: journal, disk, views and limits are fine</p>
          </li>
        )}
        {problems.map(({ kind, text, next }) => (
          <li key={kind + text} className="health-problem">
            <TriangleAlert size={14} className="health-problem__sign" aria-hidden="true" />
            <div>
              <p className="health-problem__text">
                <ShownText text={text} />
              </p>
              <p className="health-problem__next">
                <ShownText text={next} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </HealthCard>
  );
}
