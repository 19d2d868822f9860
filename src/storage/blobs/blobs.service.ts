import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { AppError } from '../../common/errors/app-error.js';
import { findOrThrow } from '../../database/rows.js';
import { type ByteRange, ObjectStorage } from '../object-storage.js';
import { Blob } from './blob.entity.js';
import { BlobsQueries } from './blobs.queries.js';
import { hashed } from './hashed.js';

/** Stored bytes that nothing uses yet. Keep or discard them. */
export interface StagedBlob {
  readonly id: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeInBytes: number;
}

/** An object in storage that no blob and no variant of one owns. */
export interface UnownedObject {
  readonly id: string;
  readonly key: string;
  readonly sizeInBytes: number;
}

/**
 * Content-addressed bytes of an organization. Bytes are stored first and become a blob in the transaction that uses
 * them, so nothing waits for storage inside a transaction; an object without a row is garbage of a failed request,
 * and `listUnowned` finds it.
 */
@Injectable()
export class BlobsService {
  constructor(
    @InjectRepository(Blob) private readonly blobs: Repository<Blob>,
    private readonly queries: BlobsQueries,
    private readonly storage: ObjectStorage,
  ) {}

  /** Stores a stream while its size and hash are computed. When the stream fails, nothing remains. */
  async stage(source: Readable): Promise<StagedBlob> {
    const id = uuid();
    const { body, sha256 } = hashed(source);
    const { sizeInBytes } = await this.storage.put(keyOf(id), body);
    return { id, sha256: sha256(), sizeInBytes };
  }

  /**
   * Joins stored objects, such as the parts of an upload, to one, and computes its size and hash. The objects stay.
   *
   * @throws ObjectNotFoundError when one of them is gone
   */
  async join(parts: readonly Pick<Blob, 'id'>[]): Promise<StagedBlob> {
    const id = uuid();
    await this.storage.join(
      keyOf(id),
      parts.map((part) => keyOf(part.id)),
    );
    try {
      return { id, ...(await this.storage.digest(keyOf(id))) };
    } catch (error) {
      await this.storage.delete(keyOf(id));
      throw error;
    }
  }

  /**
   * Makes staged bytes a blob of the organization, or finds the blob that has the same bytes already. The row is
   * locked until the transaction ends, so it cannot be collected in between. Then call `repair`, because the bytes of a
   * blob that was found may be damaged, and `discardUnless`.
   *
   * @returns the id of the blob
   */
  keep(organizationId: string, staged: StagedBlob): Promise<string> {
    return this.queries.keep(organizationId, staged);
  }

  /** Runs work that uses staged bytes, and removes them when the work refuses the request with an `AppError` below 500. */
  async discardIfRefused<R>(staged: StagedBlob, work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      // After any other failure, such as one of the storage, the transaction may have been committed. If it was not,
      // cleaning finds the bytes.
      if (error instanceof AppError && error.status < 500) await this.discardUnless(null, staged);
      throw error;
    }
  }

  /** Removes staged bytes, unless they became the blob of the given id. */
  async discardUnless(blobId: string | null, staged: Pick<StagedBlob, 'id'>): Promise<void> {
    if (blobId !== staged.id) await this.storage.delete(keyOf(staged.id));
  }

  /** @throws NotFoundError */
  get(id: string): Promise<Blob> {
    return findOrThrow(this.blobs, { id });
  }

  /** The bytes of a blob, as a stream that the caller must consume or destroy. */
  async open(blob: Pick<Blob, 'id'>): Promise<Readable> {
    return (await this.storage.get(keyOf(blob.id))).body;
  }

  /** A part of the bytes of a blob, as a stream that the caller must consume or destroy. */
  openRange(blob: Pick<Blob, 'id'>, range: ByteRange): Promise<Readable> {
    return this.storage.getRange(keyOf(blob.id), range);
  }

  /**
   * Stored objects that are older than the given time and that no blob and no variant owns. Parts of uploads are among
   * them: code that stages bytes for longer than a request must recognize its own.
   *
   * @param onOwned called for each other object of that age
   */
  async *listUnowned(olderThan: Date, onOwned?: () => void): AsyncIterable<UnownedObject> {
    for await (const { key, sizeInBytes, modifiedAt } of this.storage.list('blobs/')) {
      const id = key.slice(key.lastIndexOf('/') + 1);
      if (modifiedAt >= olderThan) continue;
      if (await this.queries.isOwned(id)) onOwned?.();
      else yield { id, key, sizeInBytes };
    }
  }
}

/** Where the bytes of a blob are stored. The last digits of an id are random, which spreads the objects over 256 folders. */
export function keyOf(id: string): string {
  return `blobs/${id.slice(-2)}/${id}`;
}
