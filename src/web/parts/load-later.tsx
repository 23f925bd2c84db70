import {
  Component,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from "react";
import { HubError } from "../../model/errors.js";
import { useConnection } from "../hub/connection.js";
import { Button } from "./button.js";
import { ErrorCard } from "./error-card.js";
import { Skeleton } from "./skeleton.js";

type Look<P> = {
  /** What it is: "the chat". */
  what: string;
  /** What stands there while it is loaded; without it, lines. */
  fallback?: (props: P) => ReactNode;
};

/**
 * A part of the desk that is loaded when somebody goes there. Where that fails, as it does while the hub is away, only this part says so;
 * it is loaded again once the hub is back.
 */
export function loadLater<P extends object>(
  { what, fallback }: Look<P>,
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  const begin = () => lazy(async () => ({ default: await load().catch(notSent) }));
  let newest = begin();
  return function LaterPart(props: P) {
    const [Part, setPart] = useState(() => newest);
    const again = () => {
      newest = begin();
      setPart(() => newest);
    };
    return (
      <LoadBoundary what={what} again={again}>
        <Suspense fallback={fallback?.(props) ?? <Skeleton lines={9} label={`Loading ${what}`} />}>
          <Part {...props} />
        </Suspense>
      </LoadBoundary>
    );
  };
}

/** A browser says of a file that did not come only that it did not. */
function notSent(cause: unknown): never {
  const why = "The hub did not send it. It is loaded by itself once the hub is back.";
  throw new HubError("HUB_UNREACHABLE", why, {}, { cause });
}

type BoundaryProps = { what: string; again: () => void; children: ReactNode };

type BoundaryState = { failure: { error: unknown } | null };

class LoadBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failure: null };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failure: { error } };
  }

  override render() {
    const { what, again, children } = this.props;
    const { failure } = this.state;
    if (failure === null) return children;
    const retry = () => {
      again();
      this.setState({ failure: null });
    };
    return <NotLoaded what={what} error={failure.error} retry={retry} />;
  }
}

function NotLoaded({ what, error, retry }: { what: string; error: unknown; retry: () => void }) {
  const isLive = useConnection(({ connection }) => connection.kind === "live");
  const wasLive = useRef(isLive);
  useEffect(() => {
    if (isLive && !wasLive.current) retry();
    wasLive.current = isLive;
  });
  return (
    <ErrorCard title={`It was not possible to load ${what}`} error={error} retry={retry}>
      <Button size={24} onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    </ErrorCard>
  );
}
