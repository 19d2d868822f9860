import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** SQL of roll-backs. */
@Injectable()
export class RollbacksQueries {
  constructor(private readonly sql: Sql) {}

  /** Whether the app knows the device. */
  async isDevice(appId: string, id: string): Promise<boolean> {
    const rows = await this.sql.query('SELECT FROM devices WHERE app_id = $1 AND id = $2', [appId, id]);
    return rows.length > 0;
  }
}
