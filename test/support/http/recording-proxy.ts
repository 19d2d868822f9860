import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testEnvironment } from '../../setup/test-environment.js';

/** A request that passed, and how it was answered. */
export interface RecordedRequest {
  /** Such as `POST /v1/apps`. */
  readonly name: string;
  /** Bytes of the body. */
  readonly bytes: number;
  readonly status: number;
}

/** Stands between a client and the server, and records what passes. */
export class RecordingProxy {
  /** What has passed since they were cleared. */
  readonly requests: RecordedRequest[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.pass(incoming, outgoing);
    });
  }

  /** Starts one in front of the shared server. */
  static async start(): Promise<RecordingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RecordingProxy(server, testEnvironment().origin);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = '', url = '/', headers } = incoming;
    let bytes = 0;
    const passed = request(this.target + url, { method, headers }, (response) => {
      const status = response.statusCode ?? 0;
      this.requests.push({ name: `${method} ${url.split('?', 1)[0]}`, bytes, status });
      outgoing.writeHead(status, response.headers);
      response.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.on('data', (chunk: Buffer) => (bytes += chunk.length));
    incoming.pipe(passed);
  }
}
