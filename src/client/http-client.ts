import { httpTransport } from "./http-transport.js";
import { type HubClient, hubClient } from "./hub-client.js";

type ClientOptions = {
  url: string;
  token?: string | undefined;
  timeoutMs: number;
  newId?: () => string;
};

/** A client of the hub at `url`, over node:http. Close it, or its idle connections keep the process alive. */
export function createClient({ url, token, timeoutMs, newId }: ClientOptions): HubClient {
  return hubClient({
    transport: httpTransport({ url, token }),
    timeoutMs,
    ...(newId === undefined ? {} : { newId }),
  });
}
