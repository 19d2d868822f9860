import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { HealthCheckService, TypeOrmHealthIndicator } from '@nestjs/terminus';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseUnavailableError } from '../common/errors/database-unavailable.error.js';
import { Config } from '../config/config.js';
import { Fallbacks } from '../database/fallbacks.js';

/** In milliseconds. */
const IDLE_CHECK_INTERVAL = 100;
/** Longest time for the database to respond, in milliseconds. */
const DATABASE_TIMEOUT = 2000;

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
    private readonly health: HealthCheckService,
    private readonly database: TypeOrmHealthIndicator,
    private readonly fallbacks: Fallbacks,
    @InjectDataSource() private readonly connection: DataSource,
  ) {}

  /** Whether the process only finishes its running requests. */
  get isShuttingDown(): boolean {
    return this.shuttingDown;
  }

  /**
   * @param purpose `all`: whatever the process can do now; `writes`: what needs the database
   * @returns whether the database responds
   * @throws ServiceUnavailableException during shutdown
   * @throws DatabaseUnavailableError when the database does not respond, and nothing can be served without it
   */
  async check(purpose: 'all' | 'writes'): Promise<boolean> {
    if (this.shuttingDown) throw new ServiceUnavailableException();
    const error = await this.databaseError();
    if (error === null) return true;
    if (purpose === 'all' && this.fallbacks.areUsable) return false;
    throw error;
  }

  private async databaseError(): Promise<DatabaseUnavailableError | null> {
    // The indicator would look for the connection through a package of its own, which the bundle has not.
    const options = { connection: this.connection, timeout: DATABASE_TIMEOUT };
    try {
      await this.health.check([() => this.database.pingCheck('database', options)]);
      return null;
    } catch {
      return new DatabaseUnavailableError('readiness');
    }
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
