import { Injectable, Logger } from '@nestjs/common';
import { BackgroundTask } from '../../common/background/background-task.js';
import { WriteBehind } from '../../database/write-behind.js';
import {
  type CountedDownloads,
  DownloadCountsQueries,
  type DownloadKind,
} from './download-counts.queries.js';

/** Time between the first counted download and the statement that adds it, in milliseconds: a crash loses as much. */
const WRITTEN_AFTER = 3000;

/**
 * Counts downloads in memory, and adds them to the database every few seconds in one statement, for which no download
 * waits.
 */
@Injectable()
export class DownloadCountsService extends BackgroundTask {
  private readonly logger = new Logger(DownloadCountsService.name);
  private counts = new Map<string, CountedDownloads>();
  private readonly writes = new WriteBehind(
    () => this.counts.size,
    () => this.write(),
    WRITTEN_AFTER,
  );

  constructor(private readonly queries: DownloadCountsQueries) {
    super();
  }

  /** Counts a download. @param bytes sent; `null`: the download was incomplete and does not count */
  count(artifactId: string, kind: DownloadKind, bytes: number | null): void {
    if (bytes === null) return;
    this.add(artifactId, kind, 1, bytes, today());
    this.writes.schedule();
  }

  private add(artifactId: string, kind: DownloadKind, downloads: number, bytes: number, day: string): void {
    const key = `${artifactId} ${kind} ${day}`;
    const count = this.counts.get(key) ?? { artifactId, kind, day, downloads: 0, bytes: 0 };
    count.downloads += downloads;
    count.bytes += bytes;
    this.counts.set(key, count);
  }

  private async write(): Promise<boolean> {
    const counts = [...this.counts.values()];
    this.counts = new Map();
    try {
      await this.queries.add(counts);
      return true;
    } catch (error) {
      // A lasting failure is logged once.
      if (!this.writes.isFailing) this.logger.warn({ err: error }, 'Downloads were not counted yet');
      for (const { artifactId, kind, downloads, bytes, day } of counts) {
        this.add(artifactId, kind, downloads, bytes, day);
      }
      return false;
    }
  }

  /** The listener is closed; the database is still connected. */
  override stop(): Promise<void> {
    return this.writes.stop();
  }
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
