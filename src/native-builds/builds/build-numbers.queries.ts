import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** SQL of the numbers that builds take. */
@Injectable()
export class BuildNumbersQueries {
  constructor(private readonly sql: Sql) {}

  /** Lets builds of an app for a package take numbers one after the other, until the transaction ends. */
  async serialize(appId: string, platform: string, packageName: string): Promise<void> {
    const name = `build number ${appId} ${platform} ${packageName}`;
    await this.sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  }
}
