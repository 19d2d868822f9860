import type { ServerResponse } from 'node:http';
import { zipOf } from '../live-updates/archives.js';
import { LocalServer } from '../git/local-server.js';
import { FLUSH, packet } from '../../../src/organizations/git-remotes/pkt-line.js';

/** A server of git and of zips that responds to some requests only when a test says so. */
export class HoldingServer {
  private readonly held = new Map<ServerResponse, string>();
  private heldPath: string | null = null;
  private passing = 0;
  /** Most requests that were held at the same time. */
  mostHeld = 0;

  private constructor(private readonly server: LocalServer) {}

  static async start(): Promise<HoldingServer> {
    const server = await LocalServer.start((request, response) => {
      const url = request.url ?? '';
      if (holding.heldPath === null || !url.includes(holding.heldPath)) return answer(url, response);
      if (holding.passing > 0) {
        holding.passing--;
        return answer(url, response);
      }
      holding.held.set(response, url);
      holding.mostHeld = Math.max(holding.mostHeld, holding.heldRequests);
      response.on('close', () => holding.held.delete(response));
    });
    const holding = new HoldingServer(server);
    return holding;
  }

  /** With a name, so that the server under test looks it up. */
  get origin(): string {
    return this.server.origin.replace('127.0.0.1', 'localhost');
  }

  get heldRequests(): number {
    return this.held.size;
  }

  /** Holds requests from now on. @param path what their URLs contain */
  hold(path: string): void {
    this.heldPath = path;
  }

  /** Answers the next request, whatever its path. */
  passNext(): void {
    this.passing++;
  }

  /** Answers everything that is held, and all later requests. */
  release(): void {
    this.heldPath = null;
    for (const [response, url] of this.held) answer(url, response);
    this.held.clear();
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

/** A project folder, or the refs of an empty repository. */
function answer(url: string, response: ServerResponse): void {
  if (url.endsWith('.zip')) void zipOf({ 'package.json': '{}' }).then((zip) => response.end(zip));
  else response.end(`${packet('# service=git-upload-pack\n')}${FLUSH}${FLUSH}`);
}
