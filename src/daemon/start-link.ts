import type { HubContext } from "../hub/context.js";
import type { ExecuteCommand } from "../hub/deciders.js";
import { findAgent } from "../hub/rules/find-agent.js";
import { findDestination } from "../hub/rules/find-destination.js";
import type { Listen } from "../journal/signal.js";
import type { LinkHub } from "../link/link-hub.js";
import { type Agent, type AgentId, HUMAN_ID } from "../model/agent.js";
import type { Clock } from "../model/clock.js";
import type { HubEvent } from "../model/events.js";
import type { DirectoryEntry } from "../model/link.js";
import type { PeerName } from "../model/peer.js";
import { statusWord } from "../model/status-words.js";
import { toldOf } from "../views/request-news.js";
import type { TightViews } from "../views/tight.js";
import { createEarlyNumbers } from "./number-early.js";

type LinkPorts = {
  self: LinkHub["self"];
  views: TightViews;
  limits: HubContext["limits"];
  execute: ExecuteCommand;
  onApplied: Listen<readonly HubEvent[]>;
  onCommitted: Listen<readonly HubEvent[]>;
  clock: Pick<Clock, "wall">;
};

/** What links are given of the hub: its commands about peers, and who is here. */
export function createLinkHub(ports: LinkPorts): LinkHub {
  const { self, views, limits, execute, onCommitted, clock } = ports;
  let early: ReturnType<typeof createEarlyNumbers> | undefined;
  return {
    self,
    peers: views.peers.all,
    onPeersChanged: (listener) =>
      onCommitted((events) => {
        if (events.some(({ type }) => isAboutPeers(type))) listener();
      }),
    async learnHub(name, { hubId, publicKey }) {
      const peer = views.peers.byName(name);
      if (peer === undefined) return;
      const keySeenAt = clock.wall();
      await execute("addPeer", { peer: { ...peer, kind: "hub", hubId, publicKey, keySeenAt } });
    },
    onWork(listener) {
      const numbers = createEarlyNumbers(ports, listener);
      early = numbers;
      const leave = onCommitted((events) => {
        if (views.peers.isEmpty()) return;
        for (const peer of new Set(events.flatMap((event) => concerned(event, views)))) listener(peer);
      });
      return () => {
        numbers.end();
        leave();
      };
    },
    numberFrames: (peer, after) =>
      (after === undefined ? early?.take(peer) : undefined) ?? execute("numberFrames", { peer, after }),
    acknowledgeFrames: (peer, ack) => execute("acknowledgeFrames", { peer, ack }),
    frameRefused: (peer, frame) => execute("recordFrameRefused", { peer, ...frame }),
    receiveFrames: (peer, batch) => execute("receiveFrames", { peer, batch }),
    receiveFromPeer: (peer, mail) => execute("receiveFromPeer", { peer, mail }),
    nextPlain: (peer) => execute("offerPlain", { peer }),
    plainTaken: (peer, seq) => execute("recordPlainTaken", { peer, seq }),
    plainRefused: (peer, seq, reason) => execute("recordPlainRefused", { peer, seq, reason }),
    sent: (peer) => views.linkFrames.outgoing(peer),
    received: (peer) => views.linkFrames.incoming(peer),
    claimForPeer: (peer, { request, by, heir }) => execute("claimForPeer", { peer, request, by, heir }),
    onDirectoryChanged: (listener) =>
      onCommitted((events) => {
        if (events.some(({ type }) => ABOUT_AGENTS.has(type))) listener();
      }),
    directory: () => [...views.roster.present().map(toEntry), ...person(views)],
    status(agent) {
      const found =
        agent === undefined ? findDestination({ views, limits }, {}) : findAgent(views, agent, HUMAN_ID);
      return {
        name: agent === undefined ? self.name : found.name,
        status: statusWord("peers", found.status),
      };
    },
  };
}

function person({ roster }: TightViews): DirectoryEntry[] {
  const found = roster.byId(HUMAN_ID);
  return found === undefined ? [] : [{ ...toEntry(found), isPerson: true }];
}

function toEntry({ id, name, team, label, status }: Agent): DirectoryEntry {
  return { id, name, team, label, status: statusWord("peers", status) };
}

const ABOUT_AGENTS: ReadonlySet<HubEvent["type"]> = new Set([
  "AgentRegistered",
  "AgentRenamed",
  "AgentUpdated",
  "AgentDeregistered",
  "PresenceChanged",
]);

function isAboutPeers(type: HubEvent["type"]): boolean {
  return type === "PeerAdded" || type === "PeerChanged" || type === "PeerRemoved";
}

/** The peers for whom something may wait by this event: mail to them, or what they are told of theirs. */
function concerned(event: HubEvent, { peers, requests }: TightViews): readonly PeerName[] {
  const hubsOf = (agents: readonly AgentId[]) => agents.flatMap((id) => peers.agent(id)?.peer ?? []);
  switch (event.type) {
    case "MessageAccepted":
      return hubsOf(event.data.message.to.map(({ agent }) => agent));
    case "RequestOpened":
      return toldOf(event.data.request, false);
    case "RequestNudged":
    case "RequestReopened":
    case "RequestClaimed":
    case "RequestAnswered":
    case "RequestExpired": {
      const request = requests.byId(event.data.request);
      return request === undefined ? [] : toldOf(request, event.type === "RequestReopened");
    }
    case "MessageReleased":
      return hubsOf([event.data.agent]);
    case "MessagesInjected":
    case "MessagesSeen":
    case "MessagesFinished":
    case "DeliveriesFailed":
      return hubsOf(event.data.deliveries.map(({ from }) => from));
    case "MessageAnswered":
    case "MessageExpired":
      return hubsOf([event.data.delivery.from]);
    case "FramesReceived":
      return event.data.refused === undefined ? [] : [event.data.peer];
    // More may have room, or be numbered anew.
    case "FramesAcknowledged":
    case "EpochBegun":
      return [event.data.peer];
    default:
      return [];
  }
}
