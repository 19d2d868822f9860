import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ConflictError } from '../../common/errors/app-error.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { countMaskedLines } from '../../common/secrets/secret-forms.js';
import { SecretMasker } from '../../common/secrets/secret-masker.js';
import type { Job } from '../jobs/job.entity.js';
import { JobKinds } from '../job-kinds/job-kinds.js';
import { JobLogsQueries } from './job-logs.queries.js';

/** Memory for the secrets of jobs that run, in bytes: a job takes at most some 10 MB, and most less than 100 kB. */
const MAX_BYTES = 256_000_000;
/** In milliseconds, since the last use: the lease may end in another process. */
const REMEMBERED_FOR = 10 * 60_000;
/** Most lines that a job may be given: those of its environment, again after it was changed, and then some. */
const MAX_LINES = 5000;

/** What to mask in the logs of jobs: kept in memory as long as the job runs, because all that arrives needs it. */
@Injectable()
export class JobMasks {
  /** Of those that are being built, too: others wait for the same. Building uses no connection of the database. */
  private readonly maskers = new LRUCache<string, Promise<SecretMasker>>({
    maxSize: MAX_BYTES,
    ttl: REMEMBERED_FOR,
    updateAgeOnGet: true,
  });

  constructor(
    private readonly queries: JobLogsQueries,
    private readonly kinds: JobKinds,
    private readonly box: SecretBox,
  ) {}

  /**
   * Remembers what the runner of a job was given, together with what it was given before. Call it in a transaction.
   *
   * @throws ConflictError when that is too much to be masked
   */
  async keep(job: Job, masks: readonly string[]): Promise<void> {
    await this.queries.begin(job.id);
    const kept = new Set(await this.keptOf(job));
    const added = masks.filter((mask) => !kept.has(mask));
    if (added.length === 0) return;
    const all = [...kept, ...added];
    if (countMaskedLines(all) > MAX_LINES) {
      throw new ConflictError(
        'The secrets of this build have changed too often while it runs. Start it again.',
      );
    }
    await this.queries.setSealedMasks(job.id, this.box.seal(JSON.stringify(all), contextOfLog(job.id)));
    this.forget(job);
  }

  async of(job: Job): Promise<SecretMasker> {
    const key = keyOf(job);
    const known = this.maskers.get(key);
    if (known !== undefined) return known;
    const current = await this.kinds.of(job.kind).masks(job);
    const secrets = [...new Set([...current, ...(await this.keptOf(job))])];
    return this.maskers.get(key) ?? this.build(key, secrets);
  }

  private async build(key: string, secrets: readonly string[]): Promise<SecretMasker> {
    const building = SecretMasker.build(secrets);
    this.maskers.set(key, building, { size: 1 });
    const masker = await building;
    // Unless it has been forgotten in the meantime.
    if (this.maskers.peek(key) === building) {
      this.maskers.set(key, building, { size: masker.sizeInBytes });
    }
    return masker;
  }

  private async keptOf({ id }: Job): Promise<string[]> {
    const sealed = await this.queries.sealedMasks(id);
    return sealed === null ? [] : (JSON.parse(this.box.open(sealed, contextOfLog(id))) as string[]);
  }

  /** The attempt has ended, or has other secrets. */
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
