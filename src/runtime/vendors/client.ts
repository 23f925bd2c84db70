/**
 * How a vendor's CLI is called, and how it names itself as a client of MCP. The bridge reads this too, so it and `clients.ts`
 * need no package.
 */
export type VendorClient = {
  /** The backend, as people write it. */
  vendor: string;
  /** As its vendor writes it. */
  label: string;
  /** What people call it: its command, and the beginning of its agents' names. */
  cli: string;
  /** Its names as a client. */
  pattern: RegExp;
  /** Under this name it is known to wait longer for a tool than the protocol's usual 60 s. */
  patientAs?: string;
  /** Its own tools that have names of Huddle's, and what it puts before those of a server named `huddle`. */
  namesakes?: { tools: readonly string[]; prefix: string };
};
