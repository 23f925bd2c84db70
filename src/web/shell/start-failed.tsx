import { Button } from "../parts/button.js";
import { EmptyState } from "../parts/empty-state.js";
import { sayWhy } from "../parts/error-card.js";

/** The page is there and its hub is not. */
export function StartFailed({ error }: { error: unknown }) {
  return (
    <main className="start-failed">
      <EmptyState
        title="The hub does not answer"
        command="huddle up"
        action={<Button onClick={() => window.location.reload()}>Try again</Button>}
      >
        {sayWhy(error)}
      </EmptyState>
    </main>
  );
}
