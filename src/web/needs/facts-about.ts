import type { Need } from "./shown-needs.js";

type Facts = NonNullable<Need["facts"]>;

export type FactsAbout<A extends Facts["about"]> = Extract<Facts, { about: A }>;
