import { HubError } from "../../model/errors.js";

/** Up to where a list of all hubs was shown: behind a hub, or behind the agent `after` there, the `count`th of that hub. */
export type Cursor =
  | { hub: string; isDone: true; count?: undefined; after?: undefined }
  | { hub: string; isDone?: undefined; count: number; after: string };

const PATTERN = /^(?<hub>[a-z0-9._-]{0,64}):(?:(?<count>\d{1,6}):(?<after>[a-z0-9_/-]{1,140}))?$/;

/** `HUB:` or `HUB:COUNT:NAME/TEAM`. */
export function writeCursor({ hub, isDone, count, after }: Cursor): string {
  return isDone === true ? `${hub}:` : `${hub}:${count}:${after}`;
}

export function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const groups = PATTERN.exec(text)?.groups;
  if (groups === undefined)
    throw new HubError("INVALID_INPUT", "cursor: give `next` of the page before, as it was");
  const { hub = "", count, after } = groups;
  return count === undefined || after === undefined
    ? { hub, isDone: true }
    : { hub, count: Number(count), after };
}
