import type { Server } from 'node:http';
import type { HttpConfig } from '../../config/groups/http-config.js';

/** Milliseconds between the end of an idle connection and that of one that has never had a request. */
const HEADERS_LATER = 5000;

/**
 * Lets load balancers end the connections that they keep. If Slipway ended one first, a request could be on its way and
 * fail, and balancers do not repeat a POST.
 */
export function keepConnections(server: Server, { keepAliveSeconds }: HttpConfig): void {
  server.keepAliveTimeout = keepAliveSeconds * 1000;
  // Also applies to connections that a balancer opens in advance.
  server.headersTimeout = server.keepAliveTimeout + HEADERS_LATER;
  // Node uses the smaller one of the two for such connections.
  server.requestTimeout = Math.max(server.requestTimeout, server.headersTimeout);
}
