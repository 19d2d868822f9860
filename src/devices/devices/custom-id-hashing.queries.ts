import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** Devices that one statement changes. */
const BATCH = 1000;

/** A device whose custom id is not hashed. */
export interface UnhashedDevice {
  readonly id: string;
  readonly customId: string;
}

/** SQL of hashing custom ids. */
@Injectable()
export class CustomIdHashingQueries {
  constructor(private readonly sql: Sql) {}

  /** Stores the key of an app that has none. */
  async insertKey(appId: string, sealedKey: string): Promise<void> {
    await this.sql.execute(
      'INSERT INTO custom_id_keys (id, sealed_key) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      [appId, sealedKey],
    );
  }

  /** The next devices to hash, by id; none where hashing is switched off. @param after id of the one before */
  batch(appId: string, after: string): Promise<UnhashedDevice[]> {
    return this.sql.query(
      `SELECT device.id, device.custom_id AS "customId"
         FROM devices AS device JOIN apps ON apps.id = device.app_id AND apps.custom_id_hashing
        WHERE device.app_id = $1 AND device.id > $2 AND device.custom_id IS NOT NULL AND NOT device.custom_id_hashed
        ORDER BY device.id LIMIT ${BATCH}`,
      [appId, after],
    );
  }

  /**
   * Replaces custom ids by their hashes. If a device has reported another custom id in the meantime, that one is
   * already hashed.
   *
   * @param hashes as many as devices, in the same order
   */
  async replace(appId: string, devices: readonly UnhashedDevice[], hashes: readonly string[]): Promise<void> {
    await this.sql.execute(
      `UPDATE devices AS device SET custom_id = new.hash, custom_id_hashed = true
         FROM unnest($2::text[], $3::text[], $4::text[]) AS new (id, custom_id, hash)
        WHERE device.app_id = $1 AND device.id = new.id AND device.custom_id = new.custom_id
          AND NOT device.custom_id_hashed`,
      [appId, devices.map(({ id }) => id), devices.map(({ customId }) => customId), hashes],
    );
  }
}
