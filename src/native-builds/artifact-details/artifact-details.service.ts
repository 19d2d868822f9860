import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { afterCommit } from '../../database/transactions/transaction.js';
import { BlobRepairsService } from '../../storage/blobs/blob-repairs.service.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import type { ArtifactFile } from '../artifact-readers/artifact-facts.js';
import { ArtifactReaderService } from '../artifact-readers/artifact-reader.service.js';
import type { ReadFacts } from '../artifact-readers/read-artifact.js';
import { ArtifactDetails } from './artifact-details.entity.js';

/** What was read of a file, to be kept with its artifact. */
export interface ReadArtifact extends ReadFacts {
  /** `null`: there is none. */
  readonly icon: StagedBlob | null;
}

/** What artifacts say about themselves. */
@Injectable()
export class ArtifactDetailsService {
  private readonly logger = new Logger(ArtifactDetailsService.name);

  constructor(
    @InjectRepository(ArtifactDetails) private readonly details: Repository<ArtifactDetails>,
    private readonly reader: ArtifactReaderService,
    private readonly blobs: BlobsService,
    private readonly repairs: BlobRepairsService,
  ) {}

  /**
   * Reads a file and stores its icon. Call it outside of transactions.
   *
   * @param organizationId who stores the file
   * @throws InvalidRequestError `invalid_artifact` when the file is not an artifact of its type
   * @throws StorageFailure when the storage cannot be read or written
   */
  async read(organizationId: string, file: ArtifactFile): Promise<ReadArtifact> {
    const { facts, remark } = await this.reader.read(organizationId, file);
    const icon = facts.icon === null ? null : await this.blobs.stage(Readable.from([facts.icon.bytes]));
    return { facts, remark, icon };
  }

  /** Keeps what was read, in the transaction that gives the artifact its file. Without one, cleaning removes the icon. */
  async keep(artifactId: string, organizationId: string, { facts, icon }: ReadArtifact): Promise<void> {
    const iconBlobId = icon === null ? null : await this.keepIcon(organizationId, icon);
    const { icon: shown, signer, ...columns } = facts;
    const values = {
      ...columns,
      id: artifactId,
      signer: signer === null ? null : { ...signer, expiresAt: signer.expiresAt?.toISOString() ?? null },
      iconBlobId,
      iconMimeType: shown?.mimeType ?? null,
    };
    // A file can be uploaded again until its artifact is ready.
    await this.details.upsert(values, ['id']);
  }

  /** By the ids of their artifacts. Artifacts that are not read have none. */
  async find(artifactIds: readonly string[]): Promise<Map<string, ArtifactDetails>> {
    const found = await this.details.findBy({ id: In([...artifactIds]) });
    return new Map(found.map((details) => [details.id, details]));
  }

  /** Of one artifact; `null`: it has none. */
  findOne(artifactId: string): Promise<ArtifactDetails | null> {
    return this.details.findOneBy({ id: artifactId });
  }

  private async keepIcon(organizationId: string, icon: StagedBlob): Promise<string> {
    const blobId = await this.blobs.keep(organizationId, icon);
    afterCommit(() => {
      this.repairs
        .settle(icon, blobId)
        .catch((error: unknown) => this.logger.warn({ err: error }, 'An icon was not settled'));
    });
    return blobId;
  }
}
