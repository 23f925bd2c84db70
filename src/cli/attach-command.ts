import { basename } from "node:path";

/** Where a pane is; `socket` as for `tmux -L`, or a path as for `-S`, and null for the person's own server. */
type Target = { pane: string; socket: string | null };

/**
 * How the person gets to see a pane: by attaching, or from inside the same tmux server by switching to it. `nested`: they are
 * inside another server, which tmux refuses unless it is not told.
 */
export function attachCommand(
  { pane, socket }: Target,
  insideOf: string | undefined,
): { argv: string[]; nested: boolean } {
  const server = socket === null ? [] : socket.includes("/") ? ["-S", socket] : ["-L", socket];
  const inside = insideOf?.split(",")[0];
  const isSame =
    inside !== undefined &&
    inside !== "" &&
    (socket?.includes("/") === true ? inside === socket : basename(inside) === (socket ?? "default"));
  const verb = isSame ? "switch-client" : "attach-session";
  // A pane as target makes its window and it the current ones.
  return { argv: ["tmux", ...server, verb, "-t", pane], nested: !isSame && Boolean(inside) };
}
