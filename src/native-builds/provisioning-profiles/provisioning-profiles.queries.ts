import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

@Injectable()
export class ProvisioningProfilesQueries {
  constructor(private readonly sql: Sql) {}

  /** Deletes the profiles of a certificate that were uploaded again: the latest of each UUID stays. */
  async deleteReplaced(certificateId: string): Promise<void> {
    await this.sql.execute(
      `DELETE FROM provisioning_profiles p
        WHERE certificate_id = $1
          AND EXISTS (SELECT FROM provisioning_profiles later
                       WHERE later.certificate_id = $1 AND lower(later.uuid) = lower(p.uuid) AND later.id > p.id)`,
      [certificateId],
    );
  }

  /** The bytes of all files of a certificate. */
  async sizeOf(certificateId: string): Promise<number> {
    const [row] = await this.sql.query<{ bytes: string }>(
      `SELECT coalesce(sum(file_size_in_bytes), 0) AS bytes FROM provisioning_profiles WHERE certificate_id = $1`,
      [certificateId],
    );
    return Number(row?.bytes ?? 0);
  }

  /**
   * Deletes profiles that have had no certificate for so many hours.
   *
   * @param size most profiles
   * @returns how many it deleted
   */
  deleteUnused(hours: number, size: number): Promise<number> {
    return this.sql.execute(
      `DELETE FROM provisioning_profiles
        WHERE id IN (SELECT id FROM provisioning_profiles
                      WHERE certificate_id IS NULL AND created_at < now() - $1 * interval '1 hour'
                      ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [hours, size],
    );
  }
}
