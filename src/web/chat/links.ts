import { deskLink } from "../../model/desk-link.js";

/** Whole addresses, as the command line prints them too. */
export function agentLink(name: string): string {
  return deskLink(window.location.origin, { page: "agent", name });
}

export function messageLink(id: string): string {
  return deskLink(window.location.origin, { page: "message", id });
}
