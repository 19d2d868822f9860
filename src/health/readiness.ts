import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, TypeOrmHealthIndicator } from '@nestjs/terminus';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { orAfter } from '../common/background/or-after.js';
import { DatabaseUnavailableError } from '../common/errors/database-unavailable.error.js';
import { Fallbacks } from '../database/outages/fallbacks.js';
import { refusedWrite } from '../database/outages/refused-writes.js';
import { READ_ONLY } from '../database/outages/unavailable.js';
import { ReadinessQueries } from './readiness.queries.js';
import { Shutdown } from './shutdown.js';

/** Longest time for the database to respond, in milliseconds. */
const DATABASE_TIMEOUT = 2000;

/** Whether the process accepts requests. At shutdown it reports 503 first and serves on until load balancers have noticed. */
@Injectable()
export class Readiness {
  constructor(
    private readonly shutdown: Shutdown,
    private readonly health: HealthCheckService,
    private readonly database: TypeOrmHealthIndicator,
    private readonly fallbacks: Fallbacks,
    private readonly queries: ReadinessQueries,
    @InjectDataSource() private readonly connection: DataSource,
  ) {}

  /**
   * @param purpose `all`: whatever the process can do now; `writes`: what needs the database
   * @returns whether the database responds
   * @throws ServiceUnavailableException during shutdown
   * @throws DatabaseUnavailableError when the database does not respond, and nothing can be served without it; for
   *   `writes` also when it is read-only, or has refused a write a moment ago
   */
  async check(purpose: 'all' | 'writes'): Promise<boolean> {
    if (this.shutdown.hasBegun) throw new ServiceUnavailableException();
    const error =
      (await this.databaseError()) ?? (purpose === 'writes' ? await this.refusalOfWrites() : null);
    if (error === null) return true;
    if (purpose === 'all' && this.fallbacks.areUsable) return false;
    throw error;
  }

  private async databaseError(): Promise<DatabaseUnavailableError | null> {
    // The indicator would look for the connection through another package, which the bundle has not.
    const options = { connection: this.connection, timeout: DATABASE_TIMEOUT };
    try {
      await this.health.check([() => this.database.pingCheck('database', options)]);
      return null;
    } catch {
      return new DatabaseUnavailableError('readiness');
    }
  }

  private async refusalOfWrites(): Promise<DatabaseUnavailableError | null> {
    try {
      const reason = (await orAfter(this.queries.isReadOnly(), DATABASE_TIMEOUT, true))
        ? READ_ONLY
        : refusedWrite();
      return reason === null ? null : new DatabaseUnavailableError(reason, 'The database cannot be written.');
    } catch {
      return new DatabaseUnavailableError('readiness');
    }
  }
}
