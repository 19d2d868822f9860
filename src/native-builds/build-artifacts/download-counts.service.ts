import { Injectable, Logger } from '@nestjs/common';
import { BackgroundTask } from '../../common/background/background-task.js';
import {
  type CountedDownloads,
  DownloadCountsQueries,
  type DownloadKind,
} from './download-counts.queries.js';

/** Time between the first counted download and the statement that adds it, in milliseconds: a crash loses as much. */
const FLUSHED_AFTER = 3000;

/**
 * Counts downloads in memory, and adds them to the database every few seconds in one statement, for which no download
 * waits.
 */
@Injectable()
export class DownloadCountsService extends BackgroundTask {
  private readonly logger = new Logger(DownloadCountsService.name);
  private counts = new Map<string, CountedDownloads>();
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();
  /** So that a lasting failure is logged once. */
  private failing = false;

  constructor(private readonly queries: DownloadCountsQueries) {
    super();
  }

  /** Counts a download. @param bytes sent; `null`: the download was incomplete and does not count */
  count(artifactId: string, kind: DownloadKind, bytes: number | null): void {
    if (bytes !== null) this.add(artifactId, kind, 1, bytes, today());
  }

  private add(artifactId: string, kind: DownloadKind, downloads: number, bytes: number, day: string): void {
    const key = `${artifactId} ${kind} ${day}`;
    const count = this.counts.get(key) ?? { artifactId, kind, day, downloads: 0, bytes: 0 };
    count.downloads += downloads;
    count.bytes += bytes;
    this.counts.set(key, count);
    this.timer ??= setTimeout(() => void this.flush(), FLUSHED_AFTER).unref();
  }

  /** One after the other. Never throws. */
  private flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing = this.flushing.then(() => this.write());
    return this.flushing;
  }

  private async write(): Promise<void> {
    const counts = [...this.counts.values()];
    if (counts.length === 0) return;
    this.counts = new Map();
    try {
      await this.queries.add(counts);
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.warn({ err: error }, 'Downloads were not counted yet');
      this.failing = true;
      for (const { artifactId, kind, downloads, bytes, day } of counts) {
        this.add(artifactId, kind, downloads, bytes, day);
      }
    }
  }

  /** The listener is closed; the database is still connected. */
  override async stop(): Promise<void> {
    await this.flush();
    clearTimeout(this.timer);
  }
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
