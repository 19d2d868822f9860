import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import { ArtifactHolds } from './artifact-holds.js';

/** Sources that builds no longer need. $1: the default number of days, $2: those of uploads */
const SOURCES = `
  SELECT item.id FROM build_sources AS item JOIN apps AS app ON app.id = item.app_id
   WHERE item.updated_at < now() - make_interval(days => CASE
           WHEN item.status = 'pending' THEN $2::int
           ELSE coalesce(app.build_source_retention_days, $1::int) END)
     AND NOT EXISTS (SELECT FROM builds AS build JOIN jobs AS job ON job.id = build.job_id
                      WHERE build.build_source_id = item.id AND job.finished_at IS NULL)`;

/** Artifacts of native builds; bundles have their own retention. $1: the default number of days */
const ARTIFACTS = `
  SELECT item.id FROM build_artifacts AS item
    JOIN builds AS build ON build.id = item.build_id
    JOIN apps AS app ON app.id = build.app_id
   WHERE build.platform <> 'web' AND item.status = 'ready'
     AND item.updated_at < now() - make_interval(days => coalesce(app.build_artifact_retention_days, $1::int))`;

/** Before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** What one transaction has done. */
export interface DeletedBatch {
  readonly deleted: number;
  /** The id after which the next batch begins; `null`: nothing more is due. */
  readonly next: string | null;
}

/** What is deleted, where the batch begins, and how many rows it has at most. */
interface Due {
  readonly table: 'build_sources' | 'build_artifacts';
  /** Selects the ids. */
  readonly sql: string;
  readonly days: readonly number[];
  readonly after: string;
  readonly limit: number;
}

/** The deletions of what builds use and make. */
@Injectable()
export class BuildRetentionQueries {
  constructor(
    private readonly sql: Sql,
    private readonly holds: ArtifactHolds,
  ) {}

  /** Deletes sources that are due: some of the next `limit` after the given id. */
  deleteSources(limit: number, after: string, days: number, uploadDays: number): Promise<DeletedBatch> {
    const due: Due = { table: 'build_sources', sql: SOURCES, days: [days, uploadDays], after, limit };
    return this.deleteDue(due, () => Promise.resolve(new Set()));
  }

  /** As `deleteSources`, artifacts that nothing holds. */
  deleteArtifacts(limit: number, after: string, days: number): Promise<DeletedBatch> {
    const due: Due = { table: 'build_artifacts', sql: ARTIFACTS, days: [days], after, limit };
    return this.deleteDue(due, (ids) => this.holds.find(ids));
  }

  /** What a new build or a submission uses is locked by it, and skipped. */
  private deleteDue(
    { table, sql, days, after, limit }: Due,
    findHeld: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<DeletedBatch> {
    return transaction(async () => {
      const rows = await this.sql.query<{ id: string }>(
        `${sql} AND item.id > $${days.length + 1} ORDER BY item.id LIMIT ${limit} FOR UPDATE OF item SKIP LOCKED`,
        [...days, after],
      );
      const ids = rows.map(({ id }) => id);
      // Separate statements see the builds and submissions that were started before the rows were locked.
      const held = await findHeld(ids);
      const deleted = await this.sql.execute(
        `DELETE FROM ${table} WHERE id = ANY($${days.length + 1}) AND id IN (${sql})`,
        [...days, ids.filter((id) => !held.has(id))],
      );
      return { deleted, next: ids.length < limit ? null : (ids.at(-1) ?? null) };
    });
  }
}
