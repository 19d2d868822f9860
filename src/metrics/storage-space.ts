import { Injectable } from '@nestjs/common';
import { orAfter } from '../common/background/or-after.js';
import { ObjectStorage, type StorageSpace } from '../storage/object-storage.js';
import { Metrics } from './metrics.js';

/** Milliseconds after which the storage is taken to be away: the other metrics must not wait longer for it. */
const TIMEOUT = 2000;

/** Metrics of the room in the storage. They have no value while the storage is away. */
@Injectable()
export class StorageSpaceMetrics {
  constructor(
    metrics: Metrics,
    private readonly storage: ObjectStorage,
  ) {
    metrics.gauge(
      { name: 'slipway_storage_free_bytes', help: 'Bytes that can still be stored in the file system.' },
      () => this.read('freeBytes'),
      'min',
    );
    metrics.gauge(
      { name: 'slipway_storage_size_bytes', help: 'Size of the file system of the storage.' },
      () => this.read('totalBytes'),
      'max',
    );
    metrics.gauge(
      { name: 'slipway_storage_free_inodes', help: 'Files that the file system can still hold.' },
      () => this.read('freeInodes'),
      'min',
    );
    metrics.gauge(
      { name: 'slipway_storage_inodes', help: 'Files that the file system can hold.' },
      () => this.read('totalInodes'),
      'max',
    );
  }

  private async read(value: keyof StorageSpace): Promise<number | null> {
    const reading = this.storage.space().catch(() => null);
    const space = await orAfter(reading, TIMEOUT, null);
    return space === null ? null : space[value];
  }
}
