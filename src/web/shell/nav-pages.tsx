import { Activity, HandHelping, Inbox, ScrollText, Waypoints, Workflow } from "lucide-react";
import type { ReactNode } from "react";
import type { Place } from "./places.js";

/** The pages beside the agents' own, in the order of the sidebar. `keys`: what goes there. */
export type NavPage = { place: Place; name: string; icon: ReactNode; keys: string };

const stroke = { strokeWidth: 1.75, "aria-hidden": true } as const;

export const navPages: readonly NavPage[] = [
  { place: { page: "needs-you" }, name: "Needs you", icon: <Inbox size={16} {...stroke} />, keys: "g y" },
  { place: { page: "network" }, name: "Network", icon: <Waypoints size={16} {...stroke} />, keys: "g n" },
  { place: { page: "requests" }, name: "Requests", icon: <HandHelping size={16} {...stroke} />, keys: "g r" },
  { place: { page: "workflows" }, name: "Workflows", icon: <Workflow size={16} {...stroke} />, keys: "g w" },
  { place: { page: "log" }, name: "Log", icon: <ScrollText size={16} {...stroke} />, keys: "g l" },
  { place: { page: "health" }, name: "Health", icon: <Activity size={16} {...stroke} />, keys: "g h" },
];
