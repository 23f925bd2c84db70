import type { AgentHost, HostedAgent } from "../runtime.js";
import { RuntimeError } from "../runtime.js";
import { type CliName, cliNames } from "../vendors/clients.js";
import { vendorOfCli } from "../vendors/vendors.js";
import { cliOfScreen } from "./cli-of.js";
import { createHostedPane } from "./hosted-pane.js";
import { defaultPaneTimes, type PaneTimes, paneHistory } from "./pane.js";
import { createPaneWatch, type PaneWatch } from "./pane-watch.js";
import { isShell } from "./read-screen.js";
import { createTmuxClient, type TmuxClient } from "./tmux-client.js";

/*
 * A pane that the person started. Huddle types into it as into its own, and never ends it: `stop` lets go. `target` is
 * whatever tmux takes (`%3`, `work:1.2`, `agent-main-ana`); the pane's number is what to keep for the next start of the
 * hub, when the same call takes the pane up again.
 */

type PaneTarget = {
  target: string;
  /** As for `tmux -L`, or with a slash as for `-S`; without it the person's default server. */
  socket?: string;
  /** Of its first process, where it is known: another pane of that number is not meant. */
  pid?: number;
};

/** `pid` is that of its first process. */
export type AttachedPane = { id: string; pid: number; session: string; cli: CliName; socket?: string };

/** Finds the pane and which CLI runs in it. Touches nothing. */
export async function attachPane(
  { target, socket, pid }: PaneTarget,
  { cli: wanted, tmux = createTmuxClient(socket === undefined ? {} : { socket }) }: AttachOptions = {},
): Promise<AttachedPane> {
  const { pane, cli } = await findPane(tmux, { target, pid, cli: wanted });
  return {
    id: pane.id,
    pid: pane.pid,
    session: pane.session,
    cli,
    ...(socket === undefined ? {} : { socket }),
  };
}

type AttachOptions = { cli?: CliName | undefined; tmux?: TmuxClient };

type AdoptOptions = PaneTarget & {
  host: AgentHost;
  cli?: CliName | undefined;
  times?: PaneTimes;
  tmux?: TmuxClient;
  watch?: PaneWatch;
};

export async function adoptPane(
  options: AdoptOptions,
): Promise<HostedAgent & { readonly pane: AttachedPane }> {
  const { socket, host, times = defaultPaneTimes } = options;
  const tmux = options.tmux ?? createTmuxClient(socket === undefined ? {} : { socket });
  const { pane, cli } = await findPane(tmux, options);
  const agent = createHostedPane({
    pane: { tmux, id: pane.id, pid: pane.pid, hosted: false, rule: vendorOfCli(cli).screen, times },
    session: pane.session,
    host,
    watch: options.watch ?? createPaneWatch(tmux),
    // It never stopped, so it has its history.
    resumed: true,
    end: async () => {},
  });
  const replayed = await paneHistory({ tmux, id: pane.id });
  return {
    ...agent,
    replayed,
    pane: {
      id: pane.id,
      pid: pane.pid,
      session: pane.session,
      cli,
      ...(socket === undefined ? {} : { socket }),
    },
  };
}

type Wanted = { target: string; pid?: number | undefined; cli?: CliName | undefined };

async function findPane(tmux: TmuxClient, { target, pid, cli: wanted }: Wanted) {
  // A leading hyphen would be an option, and `{…}` names whatever pane happens to be last or marked.
  if (target === "" || /^[-{!]|[^\x20-\x7e]/.test(target)) throw notAPane(target);
  const capture = await tmux.capture(target);
  if (capture === undefined || capture.pane.dead) throw notAPane(target);
  const { pane, screen } = capture;
  if (pid !== undefined && pane.pid !== pid) {
    const sentence = `Pane ${pane.id} is another one now; the one that was adopted has been closed`;
    throw new RuntimeError("TARGET_INVALID", sentence, { target, pane: pane.id });
  }
  if (isShell(pane.command)) {
    throw new RuntimeError(
      "TARGET_INVALID",
      `Pane ${pane.id} runs ${pane.command}, a shell, where a message would run as a command: start the agent in it first`,
      { target, pane: pane.id, command: pane.command },
    );
  }
  const cli = wanted ?? cliOfScreen(screen);
  if (cli === undefined) {
    throw new RuntimeError(
      "TARGET_INVALID",
      `Pane ${pane.id} runs ${pane.command}, which is none of ${cliNames.join(", ")}: start one of them in it, or name its backend`,
      { target, pane: pane.id, command: pane.command, known: cliNames },
    );
  }
  return { pane, cli };
}

function notAPane(target: string): RuntimeError {
  return new RuntimeError(
    "TARGET_INVALID",
    `tmux has no pane "${target.slice(0, 80).replace(/[^\x20-\x7e]/g, "?")}": list them with tmux list-panes -a, and name its socket if it is not the default one`,
    { target },
  );
}
