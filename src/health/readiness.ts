import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '../config/config.js';

/** In milliseconds. */
const IDLE_CHECK_INTERVAL = 100;

/**
 * Whether the process wants requests. At shutdown it says no first, and goes on serving for as long as load balancers
 * need to notice; only then is the listener closed.
 */
@Injectable()
export class Readiness implements BeforeApplicationShutdown {
  private shuttingDown = false;

  constructor(
    private readonly config: Config,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Whether the process goes on only to finish what it has begun. */
  get isShuttingDown(): boolean {
    return this.shuttingDown;
  }

  /** @throws ServiceUnavailableException during shutdown */
  assert(): void {
    if (this.shuttingDown) throw new ServiceUnavailableException();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.shuttingDown = true;
    await setTimeout(this.config.http.shutdownDelaySeconds * 1000);
    this.closeIdleConnections();
  }

  /** Connections that are kept alive behind an answer that began before the shutdown would hold it up for seconds. */
  private closeIdleConnections(): void {
    const server = this.host.httpAdapter?.getHttpServer() as Server | undefined;
    if (server === undefined) return;
    const timer = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL).unref();
    server.once('close', () => clearInterval(timer));
  }
}
