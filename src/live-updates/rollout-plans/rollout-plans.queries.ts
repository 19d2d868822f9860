import { Injectable } from '@nestjs/common';
import type { ReleaseStatus } from '../../app-submissions/releases/store-release.entity.js';
import { Sql } from '../../database/sql.js';

/** Statuses of a release that leaves an older one of its track alone. */
export const NOT_ON_TRACK: readonly ReleaseStatus[] = [
  'draft',
  'rejected',
  'withdrawn',
  'replaced',
  'removed',
];

@Injectable()
export class RolloutPlansQueries {
  constructor(private readonly sql: Sql) {}

  /** The time of the database, which all replicas share. In a transaction it is the time when that began. */
  async now(): Promise<Date> {
    const [row] = await this.sql.query<{ now: Date }>('SELECT now()');
    return row?.now ?? new Date();
  }

  /** Whether a destination has a release in its store that came after a deployment. @param sequence of the deployment */
  async hasNewerRelease(destinationId: string, sequence: number): Promise<boolean> {
    const [row] = await this.sql.query<{ exists: boolean }>(
      `SELECT EXISTS (
         SELECT 1 FROM deployments AS newer JOIN store_releases AS release ON release.id = newer.id
          WHERE newer.destination_id = $1 AND newer.sequence > $2 AND release.status <> ALL ($3::text[])
       )`,
      [destinationId, sequence, NOT_ON_TRACK],
    );
    return row?.exists ?? false;
  }
}
