import { useCanAct } from "../hub/connection.js";
import { useKeys } from "../shell/use-keys.js";
import { type Column, moveOn } from "./board.js";
import { nudgeRequest } from "./request-acts.js";
import type { ShownRequest } from "./use-requests.js";

type Options = {
  columns: readonly Column[];
  /** The one that is chosen, if it is on the board. */
  request: ShownRequest | undefined;
  id: string | undefined;
  isOpen: boolean;
  choose: (id: string) => void;
  open: (id: string) => void;
  close: () => void;
  post: () => void;
  toggleExpired: () => void;
};

export function useRequestKeys(options: Options): void {
  const { columns, request, id, isOpen } = options;
  const canAct = useCanAct();
  const move = (by: Parameters<typeof moveOn>[2]) => () => {
    const next = moveOn(columns, request?.request_id, by);
    if (next !== undefined) options.choose(next);
  };
  const enter = ({ target }: KeyboardEvent) => {
    // Anywhere else Enter presses what has the focus.
    if (target instanceof HTMLElement && target.matches("button:not([data-request]), a"))
      return target.click();
    const next = id ?? moveOn(columns, undefined, { rows: 1 });
    if (next !== undefined) options.open(next);
  };
  const answer = () => {
    if (id === undefined) return;
    if (!isOpen) options.open(id);
    // At once where the field is there: the next letters are for it, not for the keys of the page.
    if (!focusAnswer()) window.requestAnimationFrame(focusAnswer);
  };
  const claim = (event: KeyboardEvent) => {
    if (event.repeat || id === undefined) return;
    if (!isOpen) return options.open(id);
    document.querySelector<HTMLButtonElement>('[data-act="claim"]')?.click();
  };
  const isUnclaimed = request?.status === "open";
  const isTheirs = request !== undefined && request.from !== "user";
  useKeys("Requests", [
    { keys: "k", label: "request", pair: "j", act: move({ rows: -1 }) },
    { keys: "j", label: "next request", quiet: true, act: move({ rows: 1 }) },
    { keys: "l", label: "column", pair: "h", act: move({ columns: 1 }) },
    { keys: "h", label: "column before", quiet: true, act: move({ columns: -1 }) },
    { keys: "Enter", label: "open", act: enter },
    ...(isUnclaimed
      ? [
          {
            keys: "m",
            label: "nudge",
            act: (event: KeyboardEvent) => {
              if (!event.repeat && canAct) void nudgeRequest(request.request_id);
            },
          },
        ]
      : []),
    { keys: "c", label: "post", act: options.post },
    { keys: "x", label: "show expired", act: options.toggleExpired },
    ...(isUnclaimed && isTheirs ? [{ keys: "t", label: "claim", quiet: true, act: claim }] : []),
    ...(isTheirs && (isUnclaimed || request.claimed_by === "user")
      ? [{ keys: "a", label: "answer", quiet: true, act: answer }]
      : []),
    ...(isOpen ? [{ keys: "Escape", label: "close the request", quiet: true, act: options.close }] : []),
  ]);
}

function focusAnswer(): boolean {
  const field = document.querySelector<HTMLElement>("[data-answer]");
  field?.focus();
  return field !== null;
}
