import { Empty, type NatsConnection, RequestError } from "@nats-io/transport-node";

const NOT_FOUND = 404;

/**
 * The newest message on a subject, read without a consumer; undefined where there is none. With an empty payload: the subject of the
 * question alone says what is asked, which is what permissions can hold.
 */
export async function lastValue(
  connection: NatsConnection,
  stream: string,
  subject: string,
  timeout: number,
): Promise<Uint8Array | undefined> {
  const answer = await connection.request(`$JS.API.DIRECT.GET.${stream}.${subject}`, Empty, { timeout });
  // Whoever put it there chose the status line of its headers. The server names the place only of what is kept.
  if (answer.headers?.has("Nats-Sequence") === true) return answer.data;
  const code = answer.headers?.code ?? 0;
  if (code === NOT_FOUND) return undefined;
  if (code !== 0) throw new Error(`the fabric answered ${code} ${answer.headers?.description ?? ""}`);
  return answer.data;
}

/** Nobody hears that subject: of a stream's, that there is no such stream. */
export function isNobodyThere(error: unknown): boolean {
  return error instanceof RequestError && error.isNoResponders();
}
