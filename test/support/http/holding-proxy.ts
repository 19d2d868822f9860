import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between a client and a server, and never answers the requests that a test holds. */
export class HoldingProxy {
  /** Such as `PUT /v1/runner/job/artifacts`; what the held requests begin with. */
  private held: string | null = null;
  /** How many requests are held. */
  count = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      if (this.held !== null && `${incoming.method} ${incoming.url}`.startsWith(this.held)) {
        this.count += 1;
        outgoing.on('error', () => undefined);
        return;
      }
      this.pass(incoming, outgoing);
    });
  }

  /** @param target its origin */
  static async start(target: string): Promise<HoldingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new HoldingProxy(server, target);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Holds requests from now on. @param name what their method and path begin with; `null`: none */
  hold(name: string | null): void {
    this.held = name;
    this.count = 0;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = '', url = '/', headers } = incoming;
    const passed = request(this.target + url, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('error', () => passed.destroy());
    incoming.pipe(passed);
  }
}
