import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/**
 * Kinds of downloads. Devices download the zip of a bundle, its manifest, another file of it, or a delta to it; people and
 * programs download an artifact.
 */
export const downloadKinds = ['zip', 'manifest', 'file', 'delta', 'artifact'] as const;
export type DownloadKind = (typeof downloadKinds)[number];

/** Downloads of one artifact on one day. */
export interface CountedDownloads {
  readonly artifactId: string;
  /** Of UTC, such as `2026-03-14`. */
  readonly day: string;
  readonly kind: DownloadKind;
  downloads: number;
  bytes: number;
}

@Injectable()
export class DownloadCountsQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Adds to the counts of the days and to `totalDownloads`, in one statement. Artifacts are locked in the order of their
   * ids, so that replicas that add at the same time wait for each other instead of deadlocking. Deleted ones are left out.
   */
  async add(counts: readonly CountedDownloads[]): Promise<void> {
    await this.sql.query(
      `WITH counted AS (
         SELECT * FROM unnest($1::uuid[], $2::date[], $3::text[], $4::bigint[], $5::bigint[])
                    AS counted (artifact_id, day, kind, downloads, bytes)
       ), artifact AS (
         SELECT id, build_id FROM build_artifacts WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE
       ), totals AS (
         UPDATE build_artifacts SET total_downloads = least(total_downloads + added.downloads, 2147483647)
           FROM (SELECT artifact.id, sum(downloads) AS downloads
                   FROM artifact JOIN counted ON counted.artifact_id = artifact.id
                  WHERE kind <> 'file' GROUP BY artifact.id) AS added
          WHERE build_artifacts.id = added.id
       )
       INSERT INTO download_counts AS total (artifact_id, day, kind, app_id, downloads, bytes)
       SELECT artifact.id, counted.day, counted.kind, builds.app_id, counted.downloads, counted.bytes
         FROM counted JOIN artifact ON artifact.id = counted.artifact_id
         JOIN builds ON builds.id = artifact.build_id
        ORDER BY artifact.id, counted.day, counted.kind
       ON CONFLICT (artifact_id, day, kind) DO UPDATE SET
              downloads = total.downloads + excluded.downloads, bytes = total.bytes + excluded.bytes`,
      [
        counts.map(({ artifactId }) => artifactId),
        counts.map(({ day }) => day),
        counts.map(({ kind }) => kind),
        counts.map(({ downloads }) => downloads),
        counts.map(({ bytes }) => bytes),
      ],
    );
  }
}
