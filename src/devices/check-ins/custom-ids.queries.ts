import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** How the custom ids of an app are stored, as the database has it. */
export interface CustomIdSettingRow {
  readonly id: string;
  readonly hashing: boolean;
  readonly sealedKey: string | null;
}

/** SQL of custom ids. */
@Injectable()
export class CustomIdsQueries {
  constructor(private readonly sql: Sql) {}

  /** The settings of apps. */
  settings(appIds: readonly string[]): Promise<CustomIdSettingRow[]> {
    return this.sql.query(
      `SELECT app.id, app.custom_id_hashing AS hashing, key.sealed_key AS "sealedKey"
         FROM apps AS app LEFT JOIN custom_id_keys AS key ON key.id = app.id WHERE app.id = ANY ($1)`,
      [appIds],
    );
  }
}
