import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '../config/config.js';

/** In milliseconds. */
const IDLE_CHECK_INTERVAL = 100;

/**
 * Whether the process accepts requests. At shutdown it reports 503 first and serves on until load balancers have noticed;
 * then the listener closes.
 */
@Injectable()
export class Readiness implements BeforeApplicationShutdown {
  private shuttingDown = false;

  constructor(
    private readonly config: Config,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Whether the process only finishes its running requests. */
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

  /** Kept-alive connections whose response began before the shutdown would delay it for seconds. */
  private closeIdleConnections(): void {
    const server = this.host.httpAdapter?.getHttpServer() as Server | undefined;
    if (server === undefined) return;
    const timer = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL).unref();
    server.once('close', () => clearInterval(timer));
  }
}
