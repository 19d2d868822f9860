import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { AppError } from '../../common/errors/app-error.js';
import {
  OutboundRefusedError,
  type OutboundRefusal,
} from '../../common/http/outbound/outbound-refused.error.js';
import { Outbound } from '../../common/http/outbound/outbound.js';
import { transaction } from '../../database/transactions/transaction.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import { UploadStorageService } from '../../storage/uploads/upload-storage.service.js';
import { BuildNumberRequests } from '../build-numbers/build-number-requests.service.js';
import { BuildSource } from './build-source.entity.js';
import { BuildSourcesQueries } from './build-sources.queries.js';
import { MAX_SOURCE_BYTES } from './build-source.dto.js';
import { inspectSource } from './inspect-source.js';
import { SourceAddresses } from './source-addresses.js';

/** Fetches of one source, before the last reason becomes final. */
const ATTEMPTS = 3;
/** For the whole zip, in milliseconds. */
const TIMEOUT = 10 * 60_000;
/** A server that sends less holds the place of others. */
const SLOWEST = { bytes: 512 * 1024, withinMs: 30_000 };

const QUEUE: QueueDefinition = {
  name: 'build-sources',
  // `ATTEMPTS` decides; these are for a process that ends in between.
  retryLimit: 10,
  retryDelay: 5,
  retryDelayMax: 60,
  expireInSeconds: 20 * 60,
  heartbeatSeconds: 60,
  // A fetch waits for the server of a tenant most of its time.
  atOnce: 8,
  atOncePerTenant: 2,
};

/** The reason for users when the queue has no attempts left. */
const GIVEN_UP = 'The server failed several times. Create the source again.';

/** Reasons that may be others a little later. */
const TRANSIENT: readonly OutboundRefusal[] = ['name', 'connection', 'timeout'];

/** A source that will not be fetched again needs no query. Older ones have it in `fileUrl`. */
const FORGOTTEN = {
  sealedFileUrl: null,
  fileUrl: () => "regexp_replace(file_url, '[?#].*$', '')",
} as const;

interface FetchJob {
  readonly sourceId: string;
}

/** The zip cannot be had, for a reason that the user can read. */
class FetchFailure extends Error {
  constructor(
    readonly reason: string,
    readonly isTransient: boolean,
  ) {
    super(reason);
  }
}

/** Fetches sources from the addresses that users gave, and then lets the builds continue that wait for them. */
@Injectable()
export class BuildSourceFetchesService implements OnModuleInit {
  private readonly logger = new Logger(BuildSourceFetchesService.name);

  constructor(
    @InjectRepository(BuildSource) private readonly sources: Repository<BuildSource>,
    private readonly queries: BuildSourcesQueries,
    private readonly addresses: SourceAddresses,
    private readonly outbound: Outbound,
    private readonly blobs: BlobsService,
    private readonly files: UploadStorageService,
    private readonly jobs: JobsService,
    private readonly numberRequests: BuildNumberRequests,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<FetchJob>(
      QUEUE,
      ({ sourceId }) => this.fetch(sourceId),
      ({ sourceId }) => this.fail(sourceId, GIVEN_UP),
    );
  }

  /** Fetches a source soon after the running transaction. */
  request(sourceId: string, organizationId: string): Promise<void> {
    const job: FetchJob = { sourceId };
    return this.queue.send(QUEUE, organizationId, job);
  }

  /** @throws FetchFailure when it is to be tried again */
  private async fetch(id: string): Promise<void> {
    await this.sources.increment({ id, status: 'pending' }, 'fetches', 1);
    const source = await this.sources.findOneBy({ id });
    if (source === null || source.status === 'ready' || source.failure !== null) return;
    const address = this.addresses.of(source);
    if (address === null) return;
    const organizationId = await this.queries.organizationOf(source.appId);
    // It was deleted with its app.
    if (organizationId === undefined) return;
    try {
      await this.store(source, await this.download(organizationId, address));
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      if (failure.isTransient && source.fetches < ATTEMPTS) throw failure;
      this.logger.log(`The source ${id} cannot be fetched: ${failure.reason}`);
      await this.fail(id, failure.reason);
    }
  }

  private async download(organizationId: string, url: string): Promise<StagedBlob> {
    const response = await this.outbound.of(organizationId).request({
      purpose: 'source',
      url,
      maxBytes: MAX_SOURCE_BYTES,
      timeoutMs: TIMEOUT,
      slowest: SLOWEST,
    });
    if (response.status !== 200) {
      response.stream.destroy();
      const isTransient = response.status >= 500 || response.status === 429;
      throw new FetchFailure(
        `${new URL(url).host} answered with the status ${response.status}.`,
        isTransient,
      );
    }
    return this.blobs.stage(response.stream);
  }

  private async store(source: BuildSource, staged: StagedBlob): Promise<void> {
    // The app may have been transferred in the meantime.
    const organizationId = await this.queries.organizationOf(source.appId);
    if (organizationId === undefined) return this.blobs.discardUnless(null, staged);
    const check = async (): Promise<void> => {
      const problem = await inspectSource((range) => this.blobs.openRange(staged, range), staged.sizeInBytes);
      if (problem === null) return;
      await this.blobs.discardUnless(null, staged);
      throw new FetchFailure(`It is not a valid source: ${problem}.`, false);
    };
    await this.files.keep(organizationId, staged, check, async (blobId) => {
      const { affected } = await this.sources.update(
        { id: source.id, status: 'pending' },
        { status: 'ready', blobId, sizeInBytes: staged.sizeInBytes, ...FORGOTTEN },
      );
      if (affected === 0) return;
      for (const build of await this.queries.waitingBuilds(source.id)) {
        if (build.isStoreNumbered) await this.numberRequests.request(build.id, build.organizationId);
        else await this.jobs.release(build.jobId);
      }
    });
  }

  private fail(id: string, failure: string): Promise<void> {
    return transaction(async () => {
      await this.sources.update({ id, status: 'pending', failure: IsNull() }, { failure, ...FORGOTTEN });
      for (const { jobId } of await this.queries.waitingBuilds(id)) {
        await this.jobs.fail(jobId, `The source could not be fetched: ${failure}`);
      }
    });
  }
}

/** @returns `null`: nothing that the address or its owner caused */
function failureOf(error: unknown): FetchFailure | null {
  if (error instanceof FetchFailure) return error;
  if (error instanceof OutboundRefusedError) {
    return new FetchFailure(error.reason, TRANSIENT.includes(error.kind));
  }
  // Of the quota, for example.
  if (error instanceof AppError && error.status < 500) return new FetchFailure(error.message, false);
  return null;
}
