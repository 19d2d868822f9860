import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of a test on a free port. */
export class LocalServer {
  private constructor(
    private readonly server: Server,
    private readonly host: string,
  ) {}

  /** @param host IPv4 address of this machine */
  static async start(listener: RequestListener, host = '127.0.0.1'): Promise<LocalServer> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return new LocalServer(server, host);
  }

  /** Such as `http://127.0.0.1:40123`. */
  get origin(): string {
    return `http://${this.host}:${(this.server.address() as AddressInfo).port}`;
  }

  /** Ends it with all its connections. */
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
