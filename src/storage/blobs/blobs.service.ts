import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { findOrThrow } from '../../database/rows.js';
import { ObjectStorage } from '../object-storage.js';
import { Blob } from './blob.entity.js';

/** Bytes that are stored but belong to nothing yet: to be kept or discarded. */
export interface StagedBlob {
  readonly id: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeInBytes: number;
}

/** An object in storage that no blob owns. */
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
    private readonly storage: ObjectStorage,
  ) {}

  /** Stores a stream while its size and hash are computed. When the stream fails, nothing remains. */
  async stage(source: Readable): Promise<StagedBlob> {
    const id = uuid();
    const hash = createHash('sha256');
    const hashed = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    // A failing source destroys `hashed`, and with it the write that consumes it.
    pipeline(source, hashed, () => undefined);
    const { sizeInBytes } = await this.storage.put(keyOf(id), hashed);
    return { id, sha256: hash.digest('hex'), sizeInBytes };
  }

  /**
   * Makes staged bytes a blob of the organization, or finds the blob that has the same bytes already. The row is
   * locked until the transaction ends, so it cannot be collected in between. `discardUnless` is to be called then.
   *
   * @returns the id of the blob
   */
  async keep(tx: EntityManager, organizationId: string, staged: StagedBlob): Promise<string> {
    // No column of a key is set: that would lock out, and deadlock with, transactions that only refer to the blob.
    const rows = await tx.query<{ id: string }[]>(
      `INSERT INTO blobs (id, organization_id, sha256, size_in_bytes) VALUES ($1, $2, $3, $4)
       ON CONFLICT (organization_id, sha256) DO UPDATE SET size_in_bytes = excluded.size_in_bytes
       RETURNING id`,
      [staged.id, organizationId, staged.sha256, staged.sizeInBytes],
    );
    return rows[0]?.id ?? staged.id;
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

  /**
   * Stored objects that are older than the given time and that no blob owns. Parts of uploads are among them: whoever
   * stages bytes for longer than a request must know them.
   */
  async *listUnowned(olderThan: Date): AsyncIterable<UnownedObject> {
    for await (const { key, sizeInBytes, modifiedAt } of this.storage.list('blobs/')) {
      const id = key.slice(key.lastIndexOf('/') + 1);
      if (modifiedAt < olderThan && !(await this.blobs.existsBy({ id }))) yield { id, key, sizeInBytes };
    }
  }
}

/** The last digits of an id are random, which spreads the objects over 256 folders. */
function keyOf(id: string): string {
  return `blobs/${id.slice(-2)}/${id}`;
}
