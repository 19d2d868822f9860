import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';

const QUEUE: QueueDefinition = {
  name: 'build-retention',
  retryLimit: 3,
  retryDelay: 60,
  retryDelayMax: 600,
  expireInSeconds: 3600,
};

/** At 01:20, so that what is not used any more is found by the retention of stored files. */
const DAILY = '20 1 * * *';
/** Rows that one transaction deletes. */
const BATCH = 500;

/** Sources that builds do not need any more, of apps in the order of their ids. $1: the default number of days, $2: those of uploads. */
const SOURCES = `
  SELECT source.id FROM build_sources AS source JOIN apps AS app ON app.id = source.app_id
   WHERE source.updated_at < now() - make_interval(days => CASE
           WHEN source.status = 'pending' THEN $2::int
           ELSE coalesce(app.build_source_retention_days, $1::int) END)
     AND NOT EXISTS (SELECT FROM builds AS build JOIN jobs AS job ON job.id = build.job_id
                      WHERE build.build_source_id = source.id AND job.finished_at IS NULL)`;

/** Artifacts of native builds; bundles have a retention of their own. $1: the default number of days */
const ARTIFACTS = `
  SELECT artifact.id FROM build_artifacts AS artifact
    JOIN builds AS build ON build.id = artifact.build_id
    JOIN apps AS app ON app.id = build.app_id
   WHERE build.platform <> 'web' AND artifact.status = 'ready'
     AND artifact.updated_at < now() - make_interval(days => coalesce(app.build_artifact_retention_days, $1::int))`;

/** What a run has deleted. */
export interface BuildRetentionReport {
  readonly sources: number;
  readonly artifacts: number;
}

/**
 * Deletes sources and artifacts of builds that are older than their app keeps them. The builds stay. The stored files
 * go with the next run of the retention of stored files.
 */
@Injectable()
export class BuildRetentionService implements OnModuleInit {
  private readonly logger = new Logger(BuildRetentionService.name);

  constructor(
    private readonly queue: QueueService,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(QUEUE, DAILY, async () => {
      await this.run();
    });
  }

  /** Deletes what is due; may run several times at once. */
  async run(): Promise<BuildRetentionReport> {
    const { buildSourceDays, buildArtifactDays, uploadDays } = this.config.retention;
    const sources = await deleteAll('build_sources', SOURCES, [buildSourceDays, uploadDays]);
    const artifacts = await deleteAll('build_artifacts', ARTIFACTS, [buildArtifactDays]);
    if (sources + artifacts > 0) {
      this.logger.log({ sources, artifacts }, 'Sources and artifacts of older builds were deleted');
    }
    return { sources, artifacts };
  }
}

/** A source that a new build uses is locked by it, and skipped. */
async function deleteAll(
  table: 'build_sources' | 'build_artifacts',
  due: string,
  parameters: readonly number[],
): Promise<number> {
  for (let deleted = 0; ;) {
    const batch = await transaction(async () => {
      const alias = table === 'build_sources' ? 'source' : 'artifact';
      const rows = await sql<{ id: string }>(
        `${due} ORDER BY ${alias}.id LIMIT ${BATCH} FOR UPDATE OF ${alias} SKIP LOCKED`,
        [...parameters],
      );
      // A statement of its own sees the builds that were started before the rows were locked.
      const ids = rows.map(({ id }) => id);
      const gone = await sql<{ id: string }>(
        `DELETE FROM ${table} WHERE id = ANY($${parameters.length + 1}) AND id IN (${due}) RETURNING id`,
        [...parameters, ids],
      );
      return gone.length;
    });
    deleted += batch;
    if (batch < BATCH) return deleted;
  }
}
