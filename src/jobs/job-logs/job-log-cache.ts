import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../../config/config.js';

/** What is remembered of a log. */
interface Remembered {
  readonly sizeInBytes: number;
}

/** What one process remembers of the logs that are being read: `JOB_LOG_CACHE_BYTES` limits all of it together. */
@Injectable()
export class JobLogCache {
  private readonly entries: LRUCache<string, Remembered>;

  constructor(config: Config) {
    this.entries = new LRUCache({
      maxSize: config.jobs.logCacheBytes,
      sizeCalculation: ({ sizeInBytes }) => Math.max(1, sizeInBytes),
    });
  }

  /** A part of it: its values have one type. @param name no part has the same */
  part<V extends Remembered>(name: string): CachePart<V> {
    const { entries } = this;
    return {
      get: (key) => entries.get(`${name} ${key}`) as V | undefined,
      set: (key, value) => void entries.set(`${name} ${key}`, value),
      delete: (key) => void entries.delete(`${name} ${key}`),
    };
  }
}

export interface CachePart<V> {
  get(key: string): V | undefined;
  /** Also after the value has grown. One that is larger than all that may be remembered is not. */
  set(key: string, value: V): void;
  delete(key: string): void;
}

/** Work that others wait for who ask for the same. */
export class SharedWork<R> {
  private readonly running = new Map<string, Promise<R>>();

  /** What is being done for a key; `undefined`: nothing. */
  of(key: string): Promise<R> | undefined {
    return this.running.get(key);
  }

  /** Does work for a key for which nothing is being done. */
  async begin(key: string, work: () => Promise<R>): Promise<R> {
    const running = work();
    this.running.set(key, running);
    try {
      return await running;
    } finally {
      this.running.delete(key);
    }
  }
}
