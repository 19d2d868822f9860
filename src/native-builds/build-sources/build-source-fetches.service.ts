import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { IsNull, type Repository } from 'typeorm';
import { BackgroundTask } from '../../common/background/background-task.js';
import { NO_TURN, WAITS_FOR_TURN } from '../../common/background/shared-capacity.js';
import { AppError } from '../../common/errors/app-error.js';
import { Outbound } from '../../common/http/outbound/outbound.js';
import { transaction } from '../../database/transactions/transaction.js';
import { JobLogWriter } from '../../jobs/job-logs/job-log-writer.service.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { BlobsService, type StagedBlob } from '../../storage/blobs/blobs.service.js';
import { UploadStorageService } from '../../storage/uploads/upload-storage.service.js';
import { BuildNumberRequests } from '../build-numbers/build-number-requests.service.js';
import { BuildSource } from './build-source.entity.js';
import { BuildSourcesQueries } from './build-sources.queries.js';
import { inspectSource } from './inspect-source.js';
import { SourceAddresses } from './source-addresses.js';
import { FetchFailure, SourceDownload } from './source-download.js';

/** Fetches of one source, before the last reason becomes final. */
const ATTEMPTS = 3;
/** Downloads that a process keeps while they are paused, and for how long, in milliseconds. Others begin again. */
const MAX_PAUSED = 20;
const PAUSED_FOR = 20 * 60_000;
/** Pauses of one source, before it is given up. */
const MAX_PAUSES = 20;

const QUEUE: QueueDefinition = {
  name: 'build-sources',
  // `ATTEMPTS` decides; these are for a process that ends in between.
  retryLimit: 10,
  retryDelay: 5,
  retryDelayMax: 60,
  expireInSeconds: 20 * 60,
  heartbeatSeconds: 60,
};

/** The reason for users when the queue has no attempts left. */
const GIVEN_UP = 'The server failed several times. Create the source again.';

/** A source that will not be fetched again needs no query. Older ones have it in `fileUrl`. */
const FORGOTTEN = {
  sealedFileUrl: null,
  fileUrl: () => "regexp_replace(file_url, '[?#].*$', '')",
} as const;

interface FetchJob {
  readonly sourceId: string;
  /** How often it has paused for others. */
  readonly pauses?: number;
}

/** Fetches sources from the addresses that users gave, and then lets the builds continue that wait for them. */
@Injectable()
export class BuildSourceFetchesService extends BackgroundTask implements OnModuleInit {
  private readonly logger = new Logger(BuildSourceFetchesService.name);
  /** By source. */
  private readonly paused = new LRUCache<string, SourceDownload>({
    max: MAX_PAUSED,
    ttl: PAUSED_FOR,
    ttlAutopurge: true,
    dispose: (download, _id, reason) => {
      if (reason !== 'delete') download.drop();
    },
  });

  constructor(
    @InjectRepository(BuildSource) private readonly sources: Repository<BuildSource>,
    private readonly queries: BuildSourcesQueries,
    private readonly addresses: SourceAddresses,
    private readonly outbound: Outbound,
    private readonly blobs: BlobsService,
    private readonly files: UploadStorageService,
    private readonly jobs: JobsService,
    private readonly logs: JobLogWriter,
    private readonly numberRequests: BuildNumberRequests,
    private readonly queue: QueueService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.queue.handle<FetchJob>(QUEUE, (job) => this.fetch(job), {
      giveUp: ({ sourceId }) => this.fail(sourceId, GIVEN_UP),
      noteWait: ({ sourceId }) => this.noteWait(sourceId),
      endWait: ({ sourceId }) => this.fail(sourceId, NO_TURN),
    });
  }

  /** Fetches a source soon after the running transaction. */
  request(sourceId: string, organizationId: string): Promise<void> {
    const job: FetchJob = { sourceId };
    return this.queue.send(QUEUE, organizationId, job);
  }

  /** Another process begins paused downloads again. */
  override stop(): Promise<void> {
    for (const download of this.paused.values()) download.drop();
    return Promise.resolve();
  }

  /** @throws FetchFailure when it is to be tried again */
  private async fetch({ sourceId: id, pauses = 0 }: FetchJob): Promise<void> {
    await this.sources.increment({ id, status: 'pending' }, 'fetches', 1);
    const source = await this.sources.findOneBy({ id });
    if (source === null || source.status === 'ready' || source.failure !== null) return;
    const address = this.addresses.of(source);
    if (address === null) return;
    const organizationId = await this.queries.organizationOf(source.appId);
    // It was deleted with its app.
    if (organizationId === undefined) return;
    try {
      const staged = await this.download(source, organizationId, address);
      if (staged === null) return await this.pause(source, organizationId, pauses + 1);
      await this.store(source, staged);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      if (failure.isTransient && source.fetches < ATTEMPTS) throw failure;
      this.logger.log(`The source ${id} cannot be fetched: ${failure.reason}`);
      await this.fail(id, failure.reason);
    }
  }

  /** @returns `null`: it sends slowly, and others wait for its place */
  private async download(
    source: BuildSource,
    organizationId: string,
    url: string,
  ): Promise<StagedBlob | null> {
    const { id } = source;
    const download = this.paused.get(id) ?? new SourceDownload((bytes) => this.blobs.stage(bytes));
    this.paused.delete(id);
    const outcome = await download.fetch(this.outbound.of(organizationId), url, () =>
      this.queue.othersWait(QUEUE, organizationId),
    );
    if (outcome === 'ended') return download.staged;
    if (outcome === 'paused' && download.canContinue) {
      this.paused.set(id, download);
      return null;
    }
    download.drop();
    return outcome === 'changed' ? this.download(source, organizationId, url) : null;
  }

  /** Lets others pass. @throws FetchFailure when it has done so often */
  private async pause({ id, appId }: BuildSource, organizationId: string, pauses: number): Promise<void> {
    this.logger.log({ sourceId: id, appId, pauses }, 'A source that arrives slowly lets others pass');
    if (pauses > MAX_PAUSES) {
      this.paused.get(id)?.drop();
      this.paused.delete(id);
      throw new FetchFailure('Its server sends too slowly while others wait. Try again later.', false);
    }
    await transaction(async () => {
      await this.sources.decrement({ id, status: 'pending' }, 'fetches', 1);
      await this.queue.send(QUEUE, organizationId, { sourceId: id, pauses } satisfies FetchJob);
    });
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

  private async noteWait(id: string): Promise<void> {
    const waiting = await this.queries.waitingBuilds(id);
    const jobs = await this.jobs.getMany(waiting.map(({ jobId }) => jobId));
    for (const job of jobs.values())
      await this.logs.end(job, `Its source is to be fetched. ${WAITS_FOR_TURN}`);
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
  const failure = FetchFailure.of(error);
  if (failure !== null) return failure;
  // Of the quota, for example.
  if (error instanceof AppError && error.status < 500) return new FetchFailure(error.message, false);
  return null;
}
