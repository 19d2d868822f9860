import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { RolloutPlan } from '../rollout-plans/rollout-plan.entity.js';

/** A file of a bundle with its signature. */
export interface SignedFile {
  /** Lower-case hexadecimal; `null` for a registered zip without a checksum. */
  readonly sha256: string | null;
  /** Base64. */
  readonly signature: string | null;
}

@Injectable()
export class DeploymentsQueries {
  constructor(private readonly sql: Sql) {}

  /** The bundle of a web build, once it can be delivered. */
  async readyBundle(buildId: string): Promise<{ id: string; signed: boolean } | null> {
    const rows = await this.sql.query<{ id: string; signed: boolean }>(
      `SELECT bundles.id, bundles.signed
         FROM build_artifacts JOIN bundles ON bundles.id = build_artifacts.id
        WHERE build_artifacts.build_id = $1 AND build_artifacts.status = 'ready'`,
      [buildId],
    );
    return rows[0] ?? null;
  }

  /** The rollout plans of deployments. */
  plansOf(ids: readonly string[]): Promise<RolloutPlan[]> {
    return this.sql.query(
      `SELECT ${this.sql.columns(RolloutPlan, 'plan')} FROM rollout_plans AS plan WHERE plan.deployment_id = ANY ($1)`,
      [ids],
    );
  }

  async publicKeys(appId: string): Promise<string[]> {
    const [app] = await this.sql.query<{ keys: string[] }>(
      'SELECT public_keys AS keys FROM apps WHERE id = $1',
      [appId],
    );
    return app?.keys ?? [];
  }

  /** What the signatures of a bundle belong to: its stored files, or its registered zip. */
  signedFiles(bundleId: string): Promise<SignedFile[]> {
    return this.sql.query(
      `SELECT blobs.sha256, bundle_files.signature
         FROM bundle_files JOIN blobs ON blobs.id = bundle_files.blob_id WHERE bundle_files.bundle_id = $1
        UNION ALL
       SELECT checksum, signature FROM bundles WHERE id = $1 AND url IS NOT NULL`,
      [bundleId],
    );
  }
}
