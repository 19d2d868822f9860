import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** SQL of deployments to stores. */
@Injectable()
export class StoreDeploymentsQueries {
  constructor(private readonly sql: Sql) {}

  /** The SHA-256 of the certificate of the last release of a package by an app; `null`: there was none. */
  async lastSigner(appId: string, packageName: string): Promise<string | null> {
    const [last] = await this.sql.query<{ signer: string }>(
      `SELECT signer_sha256 AS signer FROM submissions
        WHERE app_id = $1 AND package_name = $2 AND type = 'google-play' AND signer_sha256 IS NOT NULL
          AND state IN ('prepared', 'failed_with_action_required', 'finished_manually')
        ORDER BY id DESC LIMIT 1`,
      [appId, packageName],
    );
    return last?.signer ?? null;
  }
}
