import { expect, test } from "vitest";
import { attachCommand } from "./attach-command.js";

test.each([
  [
    "a hosted pane",
    { pane: "%3", socket: "huddle-ab" },
    undefined,
    "tmux -L huddle-ab attach-session -t %3",
    false,
  ],
  [
    "a socket by its path",
    { pane: "%3", socket: "/run/s" },
    "",
    "tmux -S /run/s attach-session -t %3",
    false,
  ],
  ["the person's own server", { pane: "%1", socket: null }, undefined, "tmux attach-session -t %1", false],
  [
    "inside that very server",
    { pane: "%1", socket: null },
    "/tmp/tmux-0/default,12,0",
    "tmux switch-client -t %1",
    false,
  ],
  [
    "inside that very server, by its path",
    { pane: "%1", socket: "/run/s" },
    "/run/s,12,0",
    "tmux -S /run/s switch-client -t %1",
    false,
  ],
  [
    "inside another server",
    { pane: "%3", socket: "huddle-ab" },
    "/tmp/tmux-0/default,12,0",
    "tmux -L huddle-ab attach-session -t %3",
    true,
  ],
])("%s", (_, target, inside, command, nested) => {
  expect(attachCommand(target, inside)).toEqual({ argv: command.split(" "), nested });
});
