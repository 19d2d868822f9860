import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';

/** Sources that builds do not need any more. $1: the default number of days, $2: those of uploads */
const SOURCES = `
  SELECT item.id FROM build_sources AS item JOIN apps AS app ON app.id = item.app_id
   WHERE item.updated_at < now() - make_interval(days => CASE
           WHEN item.status = 'pending' THEN $2::int
           ELSE coalesce(app.build_source_retention_days, $1::int) END)
     AND NOT EXISTS (SELECT FROM builds AS build JOIN jobs AS job ON job.id = build.job_id
                      WHERE build.build_source_id = item.id AND job.finished_at IS NULL)`;

/** Artifacts of native builds; bundles have a retention of their own. $1: the default number of days */
const ARTIFACTS = `
  SELECT item.id FROM build_artifacts AS item
    JOIN builds AS build ON build.id = item.build_id
    JOIN apps AS app ON app.id = build.app_id
   WHERE build.platform <> 'web' AND item.status = 'ready'
     AND item.updated_at < now() - make_interval(days => coalesce(app.build_artifact_retention_days, $1::int))`;

/** The deletions of what builds use and make. */
@Injectable()
export class BuildRetentionQueries {
  constructor(private readonly sql: Sql) {}

  /** Deletes up to `limit` sources that are due. @returns how many */
  deleteSources(limit: number, days: number, uploadDays: number): Promise<number> {
    return this.deleteDue('build_sources', SOURCES, [days, uploadDays], limit);
  }

  /** Deletes up to `limit` artifacts that are due. @returns how many */
  deleteArtifacts(limit: number, days: number): Promise<number> {
    return this.deleteDue('build_artifacts', ARTIFACTS, [days], limit);
  }

  /** A source that a new build uses is locked by it, and skipped. */
  private deleteDue(table: string, due: string, days: readonly number[], limit: number): Promise<number> {
    return transaction(async () => {
      const rows = await this.sql.query<{ id: string }>(
        `${due} ORDER BY item.id LIMIT ${limit} FOR UPDATE OF item SKIP LOCKED`,
        days,
      );
      // A statement of its own sees the builds that were started before the rows were locked.
      return this.sql.execute(`DELETE FROM ${table} WHERE id = ANY($${days.length + 1}) AND id IN (${due})`, [
        ...days,
        rows.map(({ id }) => id),
      ]);
    });
  }
}
