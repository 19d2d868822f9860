import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { BundleType } from '../bundles/bundle.entity.js';
import { KEPT_AFTER_EXPIRY, keptReasons, PLAN } from './retention-plan.js';
import { Sql } from '../../database/sql.js';

/** Why a bundle is kept. */
export type KeptReason = (typeof keptReasons)[number];

/** What retention makes of one bundle. */
export interface PlannedBundle {
  readonly bundleId: string;
  readonly buildId: string;
  readonly buildNumber: number;
  readonly artifactType: BundleType;
  readonly createdAt: Date;
  /** Bytes of all files, also of those that other bundles share. */
  readonly sizeInBytes: number;
  /** `null`: nothing needs it. */
  readonly reason: KeptReason | null;
  /** When a run first found that, if every run since did; `null`: none has yet. */
  readonly unneededSince: Date | null;
  /** When it expired; `null`: it has not. */
  readonly expiredAt: Date | null;
}

/** Bundles that are kept for the same reason, or for none. */
export interface PlannedGroup {
  readonly reason: KeptReason | null;
  readonly bundles: number;
  readonly sizeInBytes: number;
}

/** Which bundles are wanted. */
export interface PlanFilter {
  /** `false`: those that nothing needs. */
  readonly kept?: boolean;
  readonly reason?: KeptReason;
}

const FILTER = `($3::boolean IS NULL OR (reason IS NOT NULL) = $3) AND ($4::text IS NULL OR reason = $4)`;

/** The statements that decide which bundles go. */
@Injectable()
export class RetentionQueries {
  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
  ) {}

  /** Published bundles of an app and what becomes of them, the newest build first. */
  plan(
    appId: string,
    { kept, reason }: PlanFilter = {},
    { limit, offset }: { limit: number | null; offset: number } = { limit: null, offset: 0 },
  ): Promise<PlannedBundle[]> {
    return this.sql.query<PlannedBundle>(
      `SELECT * FROM (${PLAN}) AS plan WHERE ${FILTER} ORDER BY "buildNumber" DESC LIMIT $5 OFFSET $6`,
      [...this.parameters(appId), kept, reason, limit, offset],
    );
  }

  /** How many bundles of an app are kept for which reason. */
  groups(appId: string, { kept, reason }: PlanFilter = {}): Promise<PlannedGroup[]> {
    return this.sql.query<PlannedGroup>(
      `SELECT reason, count(*)::int AS bundles, sum("sizeInBytes")::bigint AS "sizeInBytes"
         FROM (${PLAN}) AS plan WHERE ${FILTER} GROUP BY reason ORDER BY reason`,
      [...this.parameters(appId), kept, reason],
    );
  }

  /** Apps that have to do with retention, or have had until now, and those with bundles that have expired. */
  async appIds(): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `SELECT id FROM apps WHERE bundle_retention_count IS NOT NULL
        UNION SELECT app_id FROM channels WHERE bundle_retention_count IS NOT NULL
        UNION SELECT app_id FROM bundles WHERE expires_at <= now()
        UNION SELECT bundle.app_id FROM bundle_expirations JOIN bundles AS bundle ON bundle.id = bundle_id
        ORDER BY 1`,
    );
    return rows.map(({ id }) => id);
  }

  /** Notes which bundles of an app nothing needs, and which of those that were noted before something needs again. */
  async mark(appId: string): Promise<void> {
    await this.sql.execute(
      `WITH plan AS MATERIALIZED (${PLAN}), needed AS (
         DELETE FROM bundle_expirations AS expiration USING plan
          WHERE expiration.bundle_id = plan."bundleId" AND plan.reason IS NOT NULL
       )
       INSERT INTO bundle_expirations (bundle_id, unneeded_since)
       SELECT bundle.id, now() FROM plan JOIN bundles AS bundle ON bundle.id = plan."bundleId"
        WHERE plan.reason IS NULL AND plan."unneededSince" IS NULL
          FOR KEY SHARE OF bundle SKIP LOCKED
       ON CONFLICT DO NOTHING`,
      this.parameters(appId),
    );
  }

  /** Bundles of an app whose time has come. */
  async dueIds(appId: string): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `SELECT bundle.id FROM bundle_expirations AS expiration JOIN bundles AS bundle ON bundle.id = bundle_id
        WHERE bundle.app_id = $1
          AND CASE WHEN bundle.expires_at <= now() THEN bundle.expires_at + ${KEPT_AFTER_EXPIRY}
                   ELSE unneeded_since + make_interval(days => $2) END <= now()
        ORDER BY unneeded_since, bundle.id`,
      [appId, this.config.retention.graceDays],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks a bundle with its artifact and build. @returns the id of the build; `null`: one of them is in use, or gone */
  async lockBuild(bundleId: string): Promise<string | null> {
    const [locked] = await this.sql.query<{ buildId: string }>(
      `SELECT build.id AS "buildId"
         FROM build_artifacts AS artifact
         JOIN builds AS build ON build.id = artifact.build_id
         JOIN bundles AS bundle ON bundle.id = artifact.id
        WHERE artifact.id = $1 FOR UPDATE SKIP LOCKED`,
      [bundleId],
    );
    return locked?.buildId ?? null;
  }

  /** Whether the time of a bundle has come, and nothing needs it */
  async isDue(appId: string, bundleId: string): Promise<boolean> {
    const rows = await this.sql.query<object>(
      `SELECT FROM (${PLAN} AND bundle.id = $3) AS plan
        WHERE reason IS NULL AND "unneededSince" IS NOT NULL
          AND coalesce("expiredAt" + ${KEPT_AFTER_EXPIRY}, "unneededSince" + make_interval(days => $4)) <= now()`,
      [...this.parameters(appId), bundleId, this.config.retention.graceDays],
    );
    return rows.length > 0;
  }

  /**
   * Bytes that storage gains when bundles are deleted: not what others have, too.
   *
   * @returns with the compressed variants, the archives that lead to and from the bundles, and the generated zips
   */
  async freed(bundleIds: readonly string[]): Promise<number> {
    const [row] = await this.sql.query<{ sizeInBytes: number }>(
      `WITH gone AS (
         SELECT id FROM unnest($1::uuid[]) AS id
       ), used AS (
         SELECT blob_id, bundle_id AS by_one, bundle_id AS by_other FROM bundle_files
         UNION ALL SELECT blob_id, id, id FROM build_artifacts
         UNION ALL SELECT blob_id, from_bundle_id, to_bundle_id FROM bundle_deltas
         UNION ALL SELECT blob_id, bundle_id, bundle_id FROM generated_zips
       ), released AS (
         SELECT blob_id FROM bundle_files JOIN gone ON gone.id = bundle_id
         UNION SELECT blob_id FROM build_artifacts JOIN gone USING (id)
         UNION SELECT blob_id FROM bundle_deltas JOIN gone ON gone.id IN (from_bundle_id, to_bundle_id)
         UNION SELECT blob_id FROM generated_zips JOIN gone ON gone.id = bundle_id
       )
       SELECT coalesce(sum(blob.size_in_bytes + (SELECT coalesce(sum(variant.size_in_bytes), 0)
                FROM blob_variants AS variant WHERE variant.blob_id = blob.id)), 0)::bigint AS "sizeInBytes"
         FROM released JOIN blobs AS blob ON blob.id = blob_id
        WHERE NOT EXISTS (SELECT FROM used WHERE used.blob_id = blob.id
                             AND by_one NOT IN (SELECT id FROM gone) AND by_other NOT IN (SELECT id FROM gone))`,
      [bundleIds],
    );
    return row?.sizeInBytes ?? 0;
  }

  private parameters(appId: string): [string, number] {
    return [appId, this.config.retention.activeDeviceDays];
  }
}
