import type { Server, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { HttpConfig } from '../config/groups/http-config.js';

/** Milliseconds without a request after which kept-alive connections are closed: longer than a request is on its way. */
const IDLE = 1000;
/** The same for connections that have not had a request yet: it may still be on its way through a busy balancer. */
const UNUSED = 5000;
/** Milliseconds between two looks at the connections. */
const INTERVAL = 50;
/** Milliseconds that an iteration of the event loop takes in which next to nothing happens. */
const CALM = 0.05;
/** Milliseconds to wait for such an iteration. */
const PATIENCE = 5000;

/** How long everything may take that follows the last request, such as writing what waits in memory; milliseconds. */
const RESERVE = 25_000;

/** Milliseconds from the signal after which a process that still runs is stuck. */
export function longestStop({ shutdownDelaySeconds, shutdownTimeoutSeconds }: HttpConfig): number {
  return (shutdownDelaySeconds + shutdownTimeoutSeconds) * 1000 + RESERVE;
}

/**
 * Ends the HTTP server without ending a request that has arrived, whether a load balancer looks at the readiness or not.
 * From the signal on, every response closes its connection. After `SHUTDOWN_DELAY_SECONDS` the listener closes, then idle
 * connections, then those whose requests were in progress, for which `SHUTDOWN_TIMEOUT_SECONDS` are left.
 */
@Injectable()
export class Shutdown {
  private readonly inProgress = new Set<ServerResponse>();
  private readonly beginning = new AbortController();
  /** Connections accepted since the shutdown began. */
  private accepted = 0;
  private lastActivity = 0;

  constructor(private readonly config: Config) {}

  /** Whether the process is about to stop. */
  get hasBegun(): boolean {
    return this.beginning.signal.aborted;
  }

  /** Aborted when the process is about to stop: for requests that wait. */
  get signal(): AbortSignal {
    return this.beginning.signal;
  }

  /** Notes a request until its response is sent. Called before anything can respond. */
  track(response: ServerResponse): void {
    this.inProgress.add(response);
    if (this.hasBegun) this.closeAfter(response);
    response.once('close', () => {
      this.inProgress.delete(response);
      this.lastActivity = performance.now();
    });
  }

  /** Waits for `SHUTDOWN_DELAY_SECONDS`, closes the listener, and waits until the last connection is closed. */
  async run(server: Server): Promise<void> {
    this.beginning.abort();
    server.on('connection', () => {
      this.accepted++;
      this.lastActivity = performance.now();
    });
    for (const response of this.inProgress) this.closeAfter(response);
    await sleep(this.config.http.shutdownDelaySeconds * 1000);
    const closed = await this.closeListener(server);
    await this.closeIdleConnections(server, closed);
  }

  private closeAfter(response: ServerResponse): void {
    this.lastActivity = performance.now();
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }

  /**
   * Closing a listener resets the connections in its accept queue. Node.js accepts one in each iteration of its event
   * loop, so the listener stays open until an iteration has found none and had nothing else to do.
   *
   * @returns aborted when the last connection is closed
   */
  private async closeListener(server: Server): Promise<AbortSignal> {
    const closed = new AbortController();
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      const [start, accepted] = [performance.now(), this.accepted];
      await setImmediate();
      const end = performance.now();
      if (end > deadline || (this.accepted === accepted && end - start < CALM)) break;
    }
    // `close` of an HTTP server also ends idle connections immediately, on which a request may be on its way.
    TcpServer.prototype.close.call(server, () => closed.abort());
    return closed.signal;
  }

  /**
   * Each kept-alive connection brings one more request at most, so requests come to an end without being cut.
   * Connections that are idle then are closed, and all of them after `SHUTDOWN_TIMEOUT_SECONDS`.
   */
  private async closeIdleConnections(server: Server, closed: AbortSignal): Promise<void> {
    this.lastActivity = performance.now();
    const deadline = this.lastActivity + this.config.http.shutdownTimeoutSeconds * 1000;
    while (!closed.aborted) {
      await sleep(INTERVAL);
      if (performance.now() > deadline) server.closeAllConnections();
      if (performance.now() - this.lastActivity < IDLE) continue;
      // Behind the reading of what has arrived in this iteration of the event loop.
      await setImmediate();
      if (performance.now() - this.lastActivity < IDLE) continue;
      server.closeIdleConnections();
      // Node.js does not call a connection idle that has never had a complete request.
      const isOver = this.inProgress.size === 0 && performance.now() - this.lastActivity >= UNUSED;
      if (isOver) server.closeAllConnections();
    }
  }
}
