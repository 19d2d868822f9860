import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { QUICK_OPTIONS } from '../../setup/node-options.js';
import { type ServerProcess, startServer } from '../../setup/server.js';
import { MovableClock } from '../processes/shifted-clock.js';
import { DatabaseProxy } from '../servers/database-proxy.js';

/** How long requests may fail after an outage, in milliseconds. */
const DISTURBANCE = 15_000;

/** What a request got. */
export interface SimulatedResponse {
  /** `0`: no answer, so what the request did is not known. */
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A request to a replica. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly token: string;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A server of the simulation, with a clock and a way to the database of its own. */
export class Replica {
  /** Milliseconds of `performance.now()` until which requests may fail, because the database was away. */
  private disturbedUntil = 0;

  private constructor(
    private readonly clock: MovableClock,
    private readonly proxy: DatabaseProxy,
    private readonly env: Readonly<Record<string, string>>,
    private server: ServerProcess,
  ) {}

  static async start(
    number: number,
    databaseUrl: string,
    dataDir: string,
    env: Readonly<Record<string, string>>,
  ): Promise<Replica> {
    const clock = new MovableClock(join(dataDir, `clock-${number}`));
    const proxy = await DatabaseProxy.start(databaseUrl);
    const variables = { ...env, DATABASE_URL: proxy.url, DATA_DIR: dataDir };
    return new Replica(clock, proxy, variables, await launch(variables, clock));
  }

  get origin(): string {
    return this.server.origin;
  }

  /** Lines of errors that it has logged since its start. */
  get errors(): string[] {
    return this.server.log.filter((line) => line.includes('"level":50') || line.includes('"level":60'));
  }

  /** Whether 503 is an answer, because the database was away a moment ago. */
  get isDisturbed(): boolean {
    return performance.now() < this.disturbedUntil;
  }

  moveClock(milliseconds: number): Promise<void> {
    return this.clock.move(milliseconds, this.server.process);
  }

  /** Kills it as a power failure would, and starts it again. */
  async restart(): Promise<void> {
    await this.server.kill();
    this.server = await launch(this.env, this.clock);
  }

  /** Cuts it off from its database for a time. */
  async cutOff(milliseconds: number): Promise<void> {
    this.disturbedUntil = Infinity;
    await this.proxy.stop();
    await sleep(milliseconds);
    await this.proxy.resume();
    this.disturbedUntil = performance.now() + DISTURBANCE;
  }

  async expectReady(): Promise<void> {
    const { status } = await fetch(`${this.origin}/health/ready?for=writes`);
    expect(status).toBe(200);
  }

  /** Never rejects: a request that got no answer has the status 0. */
  async send({ method, path, token, body, headers = {}, signal }: Call): Promise<SimulatedResponse> {
    try {
      const response = await fetch(this.origin + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined
            ? {}
            : { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: signal ?? AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      return {
        status: response.status,
        body: text === '' ? {} : (JSON.parse(text) as SimulatedResponse['body']),
      };
    } catch {
      return { status: 0, body: {} };
    }
  }

  async stop(): Promise<void> {
    await this.server.kill();
    await this.proxy.stop().catch(() => undefined);
  }
}

function launch(env: Readonly<Record<string, string>>, clock: MovableClock): Promise<ServerProcess> {
  return startServer(env, { nodeOptions: [...QUICK_OPTIONS, clock.option] });
}
