import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { App } from '../../apps/apps/app.entity.js';
import { openWork } from '../../common/background/shared-capacity.js';
import {
  ConflictError,
  InvalidRequestError,
  invalidField,
  NotFoundError,
} from '../../common/errors/app-error.js';
import { CountLimits } from '../../database/count-limits.js';
import { findOrThrow, insertOrThrow, lockOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import { UploadStorageService } from '../../storage/uploads/upload-storage.service.js';
import { requireSize, type UploadTarget } from '../../storage/uploads/upload-target.js';
import { BuildSource } from './build-source.entity.js';
import { BuildSourceFetchesService } from './build-source-fetches.service.js';
import type { CreateBuildSourceDto } from './build-source.dto.js';
import { inspectSource } from './inspect-source.js';
import { SourceAddresses } from './source-addresses.js';

/** Sources of one app that are being fetched. */
const MAX_PENDING = openWork['pending-sources'].of.app;

/** A source whose bytes are stored. */
export type ReadyBuildSource = BuildSource & { readonly blobId: string };

@Injectable()
export class BuildSourcesService {
  constructor(
    @InjectRepository(BuildSource) private readonly sources: Repository<BuildSource>,
    private readonly limits: CountLimits,
    private readonly fetches: BuildSourceFetchesService,
    private readonly addresses: SourceAddresses,
    private readonly storage: UploadStorageService,
    private readonly blobs: BlobsService,
  ) {}

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<BuildSource> {
    return findOrThrow(this.sources, { appId, id });
  }

  /**
   * A source that builds may use: it is ready, or it is being fetched. Locked until the transaction ends, so that it is
   * not completed or deleted before then.
   *
   * @throws NotFoundError
   * @throws InvalidRequestError when it was not uploaded completely, or could not be fetched
   */
  async use(appId: string, id: string): Promise<BuildSource> {
    const source = await lockOrThrow(this.sources, { appId, id }, 'pessimistic_read');
    if (source.failure !== null) {
      throw invalidField(
        'appBuildSourceId',
        `appBuildSourceId is a source that cannot be used: ${source.failure}`,
      );
    }
    if (source.status === 'pending' && source.fileUrl === null) {
      throw invalidField(
        'appBuildSourceId',
        'appBuildSourceId is a source that was not uploaded completely.',
      );
    }
    return source;
  }

  /** @throws NotFoundError when it does not exist in this app, or is not ready */
  async getReady(appId: string, id: string): Promise<ReadyBuildSource> {
    const source = await findOrThrow(this.sources, { appId, id });
    if (source.status !== 'ready' || source.blobId === null) throw new NotFoundError('Build source');
    return { ...source, blobId: source.blobId };
  }

  /**
   * Announces an upload, or begins to fetch an address. Call it in a transaction.
   *
   * @throws InvalidRequestError unless one of both is given; the size is ignored beside an address
   * @throws ForbiddenError when the organization may not store more
   * @throws InsufficientStorageError when only the reserve is left
   * @throws ConflictError when many other sources of the app are being fetched
   */
  async create(
    app: App,
    userId: string,
    { fileSizeInBytes, fileUrl }: CreateBuildSourceDto,
  ): Promise<BuildSource> {
    const sizeInBytes = fileUrl == null ? (fileSizeInBytes ?? null) : null;
    if (sizeInBytes === null && fileUrl == null) {
      throw invalidField('fileSizeInBytes', 'fileSizeInBytes or fileUrl is required.');
    }
    const content = sizeInBytes === null ? null : { sha256: null, sizeInBytes };
    await this.storage.requireRoom(app.organizationId, content);
    const id = uuid();
    return transaction(async () => {
      if (fileUrl != null) await this.requireTurn(app.id);
      const source = await insertOrThrow(this.sources, {
        id,
        appId: app.id,
        sizeInBytes,
        ...(fileUrl != null && this.addresses.columnsOf(id, fileUrl)),
        createdBy: userId,
      });
      if (source.fileUrl !== null) await this.fetches.request(source.id, app.organizationId);
      return source;
    });
  }

  /**
   * Where the parts of a source belong: they must be a zip of the announced size that is safe to unpack.
   *
   * @throws NotFoundError
   */
  async targetOf(app: App, id: string): Promise<UploadTarget> {
    const source = await this.get(app.id, id);
    return {
      ownerId: id,
      organizationId: app.organizationId,
      sizeInBytes: source.sizeInBytes ?? 0,
      requireOpen: () => requireUploadable(source),
      check: (whole) => {
        requireSize(whole, source.sizeInBytes);
        return this.requireSafe(whole);
      },
      attach: async (blobId) => {
        const { affected } = await this.sources.update(
          { id, status: 'pending' },
          { status: 'ready', blobId },
        );
        if (affected === 0) throw new ConflictError('The source was uploaded already.');
      },
    };
  }

  private async requireTurn(appId: string): Promise<void> {
    const isFetched = { appId, status: 'pending', fileUrl: Not(IsNull()), failure: IsNull() } as const;
    if (await this.limits.hasRoom('pendingSourcesPerApp', MAX_PENDING, appId, this.sources, isFetched))
      return;
    throw new ConflictError(
      `The app has ${MAX_PENDING} sources already that are being fetched, which is the limit.`,
      'build_sources_pending',
    );
  }

  private async requireSafe(staged: StagedBlob): Promise<void> {
    const problem = await inspectSource((range) => this.blobs.openRange(staged, range), staged.sizeInBytes);
    if (problem !== null)
      throw new InvalidRequestError(`The source is not valid: ${problem}.`, 'invalid_source');
  }
}

/** @throws ConflictError unless the bytes of the source are to be uploaded */
function requireUploadable(source: BuildSource): void {
  if (source.fileUrl !== null) throw new ConflictError('The source is fetched from its address.');
  if (source.status === 'ready') throw new ConflictError('The source is complete.');
}
