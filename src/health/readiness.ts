import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, TypeOrmHealthIndicator } from '@nestjs/terminus';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
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
    @InjectDataSource() private readonly connection: DataSource,
  ) {}

  /** @throws ServiceUnavailableException during shutdown, or when the database does not respond */
  async assert(): Promise<void> {
    if (this.shutdown.hasBegun) throw new ServiceUnavailableException();
    // The indicator would look for the connection through a package of its own, which the bundle has not.
    const options = { connection: this.connection, timeout: DATABASE_TIMEOUT };
    await this.health.check([() => this.database.pingCheck('database', options)]);
  }
}
