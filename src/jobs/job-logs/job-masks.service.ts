import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SecretBox } from '../../common/secrets/secret-box.js';
import type { Job } from '../jobs/job.entity.js';
import { JobKinds } from '../job-kinds/job-kinds.js';
import { JobLogsQueries } from './job-logs.queries.js';
import { SecretMasker } from '../../common/secrets/secret-masker.js';

/** Memory for the secrets of jobs that run, in bytes. */
const MAX_BYTES = 32_000_000;
/** In milliseconds. */
const REMEMBERED_FOR = 10 * 60_000;

/** What to mask in the logs of jobs, kept in memory for a while: all that arrives needs it. */
@Injectable()
export class JobMasks {
  private readonly maskers = new LRUCache<string, SecretMasker>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ sizeInBytes }) => sizeInBytes,
    ttl: REMEMBERED_FOR,
    updateAgeOnGet: true,
  });

  constructor(
    private readonly queries: JobLogsQueries,
    private readonly kinds: JobKinds,
    private readonly box: SecretBox,
  ) {}

  /** Remembers what the runner of a job was given, together with what it was given before. Call it in a transaction. */
  async keep(job: Job, masks: readonly string[]): Promise<void> {
    await this.queries.begin(job.id);
    const all = new Set([...(await this.keptOf(job)), ...masks]);
    const sealed = this.box.seal(JSON.stringify([...all]), contextOfLog(job.id));
    await this.queries.setSealedMasks(job.id, sealed);
    this.forget(job);
  }

  async of(job: Job): Promise<SecretMasker> {
    const known = this.maskers.get(keyOf(job));
    if (known !== undefined) return known;
    const current = await this.kinds.of(job.kind).masks(job);
    const masker = new SecretMasker([...new Set([...current, ...(await this.keptOf(job))])]);
    this.maskers.set(keyOf(job), masker);
    return masker;
  }

  private async keptOf({ id }: Job): Promise<string[]> {
    const sealed = await this.queries.sealedMasks(id);
    return sealed === null ? [] : (JSON.parse(this.box.open(sealed, contextOfLog(id))) as string[]);
  }

  /** The attempt is over. */
  forget(job: Job): void {
    this.maskers.delete(keyOf(job));
  }
}

/** Each attempt gets its secrets again, which may have changed. */
function keyOf({ id, attempts }: Job): string {
  return `${id} ${attempts}`;
}

/** What binds the encrypted columns of a log to it. */
export function contextOfLog(jobId: string): string {
  return `job_logs:${jobId}`;
}
