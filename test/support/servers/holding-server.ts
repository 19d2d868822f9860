import type { ServerResponse } from 'node:http';
import { LocalServer } from '../git/local-server.js';
import { FLUSH, packet } from '../../../src/organizations/git-remotes/pkt-line.js';

/** A git server that leaves some requests without an answer until it is told. */
export class HoldingServer {
  private held: ServerResponse[] = [];
  private heldPath: string | null = null;
  /** Most requests that were held at the same time. */
  mostHeld = 0;

  private constructor(private readonly server: LocalServer) {}

  static async start(): Promise<HoldingServer> {
    const server = await LocalServer.start((request, response) => {
      if (holding.heldPath === null || !request.url?.includes(holding.heldPath)) return answer(response);
      holding.held.push(response);
      holding.mostHeld = Math.max(holding.mostHeld, holding.heldRequests);
      response.on('close', () => (holding.held = holding.held.filter((each) => each !== response)));
    });
    const holding = new HoldingServer(server);
    return holding;
  }

  /** With a name, so that the server under test looks it up. */
  get origin(): string {
    return this.server.origin.replace('127.0.0.1', 'localhost');
  }

  get heldRequests(): number {
    return this.held.length;
  }

  /** Holds requests from now on. @param path what their URLs contain */
  hold(path: string): void {
    this.heldPath = path;
  }

  /** Answers everything that is held, and all later requests. */
  release(): void {
    this.heldPath = null;
    this.held.splice(0).forEach(answer);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

/** The refs of an empty repository. */
function answer(response: ServerResponse): void {
  response.end(`${packet('# service=git-upload-pack\n')}${FLUSH}${FLUSH}`);
}
