import type { AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { LinkMail } from "../../model/link.js";
import type { PeerName } from "../../model/peer.js";
import { statusWord } from "../../model/status-words.js";
import type { HubContext, HubDecider } from "../context.js";
import { findPeer } from "../rules/find-peer.js";
import { acceptPeerMail } from "../rules/peer-mail.js";

type ReceiveFromPeer = { peer: PeerName; mail: LinkMail };

/** `isBusy`: the agent is at something, and reads it when it is done. */
type Received = { seq: number; to: AgentId; isBusy: boolean };

/** A message of a plain daemon. It has one agent, which is the peer itself; the same id again is the same message. */
export const receiveFromPeer: HubDecider<ReceiveFromPeer, Received> = ({ peer: name, mail }, context) => {
  const { views } = context;
  const peer = findPeer(views, name);
  const sender = views.roster.byId(views.peers.front(name)?.id ?? "");
  if (sender === undefined) throw new HubError("INTERNAL", `The peer "${name}" has no front`);
  const earlier = views.messages.bySender(sender.id, mail.id);
  if (earlier !== undefined) {
    const to = earlier.data.message.to[0]?.agent ?? "";
    return { events: [], answer: () => ({ seq: earlier.seq, to, isBusy: isBusy(context, to) }) };
  }
  const taken = {
    asked: new Set<string>(),
    proven: new Set<number>(),
    answered: new Map<string, AgentId>(),
    begun: new Set<string>(),
  };
  const { events, target } = acceptPeerMail(
    context,
    { peer, mail, sender: { agent: sender, met: [] } },
    taken,
  );
  return {
    events,
    answer: ([accepted]) => ({
      seq: accepted?.seq ?? 0,
      to: target.id,
      isBusy: isBusy(context, target.id),
    }),
  };
};

function isBusy({ views }: HubContext, id: AgentId): boolean {
  const agent = views.roster.byId(id);
  return agent !== undefined && statusWord("peers", agent.status) === "busy";
}
