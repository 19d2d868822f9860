import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** SQL of devices. */
@Injectable()
export class DevicesQueries {
  constructor(private readonly sql: Sql) {}

  /** The ids among these of deployments that exist. */
  async deploymentIds(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.sql.query<{ id: string }>('SELECT id FROM deployments WHERE id = ANY ($1)', [
      ids,
    ]);
    return new Set(rows.map(({ id }) => id));
  }
}
