import {
  errors,
  type NatsConnection,
  NatsConnectionImpl,
  type NodeConnectionOptions,
  setTransportFactory,
} from "@nats-io/transport-node";
import { NodeTransport, nodeResolveHost } from "@nats-io/transport-node/lib/node_transport.js";

/** In the client's own words, where it notices by itself. */
export const NOT_ENCRYPTED = "server does not support 'tls'";

/** `onFailed`: a try to connect failed, also one to connect again, of which the client itself says nothing. */
type Options = NodeConnectionOptions & { onFailed?: (error: unknown) => void };

/**
 * A connection to a fabric's server. The client by itself goes on in the clear where whoever answers says `"tls_available": 1`: it takes that
 * for a server that encrypts, and begins to only where it says `true`. Somebody on the way would get what lets this hub in. So here
 * nothing is said before the connection is encrypted, if it is to be.
 */
export function connectEncrypted(options: Options): Promise<NatsConnection> {
  setTransportFactory({ factory: createTransport, dnsResolveFn: nodeResolveHost });
  return NatsConnectionImpl.connect(options);
}

/** One for each try to connect, also of connections that were opened before: what they are to do is in their options. */
function createTransport(): NodeTransport {
  const transport = new NodeTransport();
  const open = transport.connect.bind(transport);
  transport.connect = async (server, options: Options) => {
    try {
      await open(server, options);
      if (options.tls && !transport.isEncrypted()) throw new errors.ConnectionError(NOT_ENCRYPTED);
    } catch (error) {
      options.onFailed?.(error);
      throw error;
    }
  };
  return transport;
}
