import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Job } from '../jobs/job.entity.js';
import { JobKinds } from '../job-kinds/job-kinds.js';
import { SecretMasker } from './secret-masker.js';

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

  constructor(private readonly kinds: JobKinds) {}

  async of(job: Job): Promise<SecretMasker> {
    const known = this.maskers.get(keyOf(job));
    if (known !== undefined) return known;
    const masker = new SecretMasker(await this.kinds.of(job.kind).masks(job));
    this.maskers.set(keyOf(job), masker);
    return masker;
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
