import {
  Download,
  HandHelping,
  Keyboard,
  MessageSquare,
  Moon,
  Pause,
  Play,
  Plus,
  Power,
  RotateCcw,
  Snowflake,
  Sun,
  SunMoon,
  Workflow as WorkflowIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import type { PairList } from "../../client/hub-client.js";
import type { AgentRow } from "../hub/agent-store.js";
import { hub } from "../hub/hub.js";
import { openHelp } from "../shell/help-store.js";
import { navPages } from "../shell/nav-pages.js";
import { goToDialog } from "../shell/page-wish.js";
import { goTo } from "../shell/places.js";
import { setTheme } from "../shell/theme.js";
import { actAndTell } from "./act-and-tell.js";

/* All that can be done from the palette, each as a sentence that is looked through. */

export type PaletteAction = {
  text: string;
  icon: ReactNode;
  act: () => void;
  hint?: string;
  shortcut?: string;
  /** Too many to be listed unasked. */
  quiet?: boolean;
};

const ICON = 16;

export const pageActions: readonly PaletteAction[] = [
  ...navPages.map(({ place, name, icon, keys }) => ({
    text: `Go to ${name}`,
    icon,
    act: () => goTo(place),
    shortcut: keys,
  })),
  { text: "New agent", icon: <Plus size={ICON} />, act: () => goTo({ page: "new-agent" }), shortcut: "+" },
  {
    text: "Run a workflow…",
    icon: <WorkflowIcon size={ICON} />,
    act: () => goToDialog({ page: "workflows" }, "run-workflow"),
  },
  {
    text: "Post a request…",
    icon: <HandHelping size={ICON} />,
    act: () => goToDialog({ page: "requests" }, "post-request"),
  },
  { text: "All keys", icon: <Keyboard size={ICON} />, act: openHelp, shortcut: "?" },
  { text: "Theme: dark", icon: <Moon size={ICON} />, act: () => setTheme("dark") },
  { text: "Theme: light", icon: <Sun size={ICON} />, act: () => setTheme("light") },
  { text: "Theme: as the system", icon: <SunMoon size={ICON} />, act: () => setTheme("system") },
  {
    text: "Pause all agents",
    icon: <Pause size={ICON} />,
    act: () => void actAndTell("All agents are paused", () => hub.pauseAll({})),
    hint: "until you resume them",
  },
  {
    text: "Resume all agents",
    icon: <Play size={ICON} />,
    act: () => void actAndTell("All agents go on", () => hub.resumeAll()),
  },
  ...(["jsonl", "md"] as const).map((format) => ({
    text: `Export the log: ${format === "md" ? "Markdown" : "JSONL"}`,
    icon: <Download size={ICON} />,
    act: () =>
      void actAndTell(`The log is saved as huddle-log.${format}`, async () => {
        const { exportLog, saveFile } = await import("../log/export-log.js");
        const { file } = await exportLog("", format, () => {}, new AbortController().signal);
        saveFile(file, `huddle-log.${format}`);
      }),
    hint: "all messages",
  })),
];

/** What can be done with an agent. */
export function agentActions(agent: AgentRow): PaletteAction[] {
  const { name } = agent;
  const isHosted = agent.runtime !== undefined;
  return [
    {
      text: `Message ${name}`,
      icon: <MessageSquare size={ICON} />,
      act: () => goTo({ page: "agent", name }),
      quiet: true,
    },
    agent.paused === true
      ? {
          text: `Resume ${name}`,
          icon: <Play size={ICON} />,
          act: () => void actAndTell(`${name} goes on`, () => hub.resume(name)),
          quiet: true,
        }
      : {
          text: `Pause ${name}`,
          icon: <Pause size={ICON} />,
          hint: "after its turn",
          act: () =>
            void actAndTell(
              `${name} is paused`,
              () => hub.pause(name, {}),
              "Its mail waits until you resume it",
            ),
          quiet: true,
        },
    {
      text: `Log of ${name}`,
      icon: <MessageSquare size={ICON} />,
      act: () => goTo({ page: "log", id: `from:${name}` }),
      hint: "what it sent",
      quiet: true,
    },
    ...(isHosted
      ? [
          {
            text: `Shut down ${name}`,
            icon: <Power size={ICON} />,
            hint: "after its turn",
            act: () =>
              void actAndTell(`${name} ends after its turn`, () =>
                hub.shutdown(name, {}, { timeoutMs: 40_000 }),
              ),
            quiet: true,
          },
        ]
      : []),
  ];
}

/** What can be done with one direction of a pair. The person's own messages are never held. */
export function pairActions({ from, to, paused, level }: PairList["pairs"][number]): PaletteAction[] {
  if (from === "user" || to === "user") return [];
  const pair = `${from} → ${to}`;
  return [
    paused
      ? {
          text: `Resume pair ${pair}`,
          icon: <Play size={ICON} />,
          act: () =>
            void actAndTell(`${from} can write to ${to} again`, () => hub.decidePair(from, to, "resume")),
          quiet: true,
        }
      : {
          text: `Pause pair ${pair}`,
          icon: <Pause size={ICON} />,
          hint: "its mail waits",
          act: () => void actAndTell(`${pair} is paused`, () => hub.decidePair(from, to, "pause")),
          quiet: true,
        },
    ...(level > 0
      ? [
          {
            text: `Reset cooldown ${pair}`,
            icon: <RotateCcw size={ICON} />,
            act: () =>
              void actAndTell(`The cooldown of ${pair} begins anew`, () => hub.decidePair(from, to, "reset")),
            quiet: true,
          },
        ]
      : []),
  ];
}

/** What can be done with a conversation that waits for the person. */
export function conversationActions({ id, messages }: { id: string; messages: number }): PaletteAction[] {
  const name = `conversation ${id.slice(-8)}`;
  return [
    {
      text: `Continue ${name}`,
      icon: <Play size={ICON} />,
      hint: `${messages} messages`,
      act: () => void actAndTell("The conversation goes on", () => hub.decideConversation(id, "continue")),
      quiet: true,
    },
    {
      text: `Freeze ${name}`,
      icon: <Snowflake size={ICON} />,
      hint: "for good",
      act: () => void actAndTell("The conversation is frozen", () => hub.decideConversation(id, "freeze")),
      quiet: true,
    },
  ];
}
