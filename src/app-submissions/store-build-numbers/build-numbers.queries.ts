import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { DestinationType } from '../destinations/destination.entity.js';

/** SQL of the build numbers that submissions have used. */
@Injectable()
export class BuildNumbersQueries {
  constructor(private readonly sql: Sql) {}

  /** The build numbers of all submissions of an app for a package, also of those that have failed. */
  async submitted(appId: string, type: DestinationType, packageName: string): Promise<string[]> {
    const rows = await this.sql.query<{ number: string }>(
      `SELECT DISTINCT version_code AS number FROM submissions
        WHERE app_id = $1 AND type = $2 AND package_name = $3`,
      [appId, type, packageName],
    );
    return rows.map(({ number }) => number);
  }
}
