import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { HubError } from "../../model/errors.js";
import { Button } from "./button.js";
import "./error-card.css";
import { ShownText } from "./shown-text.js";

/** What failed, why, and the next step, in the place of what would be there. */
export function ErrorCard({
  title,
  error,
  retry,
  children,
}: {
  /** What could not be done: "The messages of ann could not be loaded". */
  title: string;
  error: unknown;
  retry?: (() => void) | undefined;
  /** Other ways on. */
  children?: ReactNode;
}) {
  return (
    <div className="error-card" role="alert">
      <h3 className="error-card__title">
        <TriangleAlert size={14} aria-hidden="true" />
        {title}
      </h3>
      <p className="error-card__text">
        <ShownText text={sayWhy(error)} />
      </p>
      <div className="error-card__actions">
        {retry !== undefined && (
          <Button size={24} onClick={retry}>
            Try again
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}

/** The sentence of a refusal; of anything else what it says of itself. */
export function sayWhy(error: unknown): string {
  if (error instanceof HubError) return error.message;
  return error instanceof Error ? `This page failed: ${error.message}` : "This page failed";
}
