import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { DestinationType } from '../destinations/destination.entity.js';

/** The build number of a submission. */
export interface SubmittedNumber {
  readonly number: string;
  /** In Google Play; `null`: another store. */
  readonly track: string | null;
}

/** SQL of the build numbers that submissions have used. */
@Injectable()
export class BuildNumbersQueries {
  constructor(private readonly sql: Sql) {}

  /** The build numbers of all submissions of an app for a package, also of those that have failed. */
  submitted(appId: string, type: DestinationType, packageName: string): Promise<SubmittedNumber[]> {
    return this.sql.query<SubmittedNumber>(
      `SELECT DISTINCT version_code AS number, track FROM submissions
        WHERE app_id = $1 AND type = $2 AND package_name = $3`,
      [appId, type, packageName],
    );
  }
}
