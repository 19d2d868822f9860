import { once } from 'node:events';
import { createServer } from 'node:http';
import { Registry } from 'prom-client';
import type { HttpConfig } from '../config/groups/http-config.js';

/**
 * Serves `GET /metrics` and nothing else on `METRICS_PORT`, so that clients of the API cannot reach it.
 *
 * @param read the metrics as text
 * @param failed called with the error when they cannot be read; the response is 500
 * @returns closes the port
 * @throws Error when the port cannot be taken
 */
export async function serveMetrics(
  { host, metricsPort }: HttpConfig,
  read: () => Promise<string>,
  failed: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (text) =>
        response
          .writeHead(200, {
            'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE,
            'X-Content-Type-Options': 'nosniff',
          })
          .end(text),
      (error: unknown) => {
        failed(error);
        response.writeHead(500).end();
      },
    );
  });
  server.listen(metricsPort, host);
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}
