import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Repository } from 'typeorm';
import type { Organization } from '../../../src/organizations/organizations/organization.entity.js';
import { OrganizationsService } from '../../../src/organizations/organizations/organizations.service.js';
import type { Destination } from '../../../src/app-submissions/destinations/destination.entity.js';
import { DestinationsService } from '../../../src/app-submissions/destinations/destinations.service.js';
import type { ReleaseLook } from '../../../src/app-submissions/releases/release-look.js';
import { StoreReleases } from '../../../src/app-submissions/releases/store-releases.service.js';
import { StoreTurns } from '../../../src/app-submissions/flow/store-turns.service.js';
import { refusalOfError } from '../../../src/app-submissions/calls/refusals/retry-delay.js';
import { StoreCalls } from '../../../src/app-submissions/calls/store-calls.service.js';
import type { StoreSession } from '../../../src/app-submissions/calls/store-session.js';
import { type Store, SubmissionStores } from '../../../src/app-submissions/flow/store.js';
import {
  SubmissionCleanups,
  SubmissionEndings,
} from '../../../src/app-submissions/flow/submission-endings.service.js';
import { SubmissionJob } from '../../../src/app-submissions/flow/submission-job.service.js';
import { SubmissionProgress } from '../../../src/app-submissions/submissions/submission-progress.service.js';
import type { Submission } from '../../../src/app-submissions/submissions/submission.entity.js';
import { SecretBox } from '../../../src/common/secrets/secret-box.js';
import { Config } from '../../../src/config/config.js';
import { JobKinds } from '../../../src/jobs/job-kinds/job-kinds.js';
import type { Job } from '../../../src/jobs/jobs/job.entity.js';
import { WorkerJobs } from '../../../src/jobs/jobs/worker-jobs.service.js';
import type { WorkerRun } from '../../../src/jobs/jobs/worker-run.js';
import { BlobsService } from '../../../src/storage/blobs/blobs.service.js';
import type { FaultKind } from './stand-in/faults.js';
import { sessionFor } from './store-servers.js';

/** How a submission, or a change of its release, has ended. */
export interface Ended extends Pick<Submission, 'state' | 'message'> {
  /** Of its job. */
  readonly status: 'succeeded' | 'failed';
  readonly statusMessage: string | null;
  /** Of the last refusal that the store was asked about how to go on; `null`: there was none. */
  readonly code: string | null;
  /** Where the release is; `null`: nothing is known. */
  readonly release: ReleaseLook | null;
  /** Of its job, in one text. */
  readonly log: string;
}

/** A stand-in for a store. */
interface StandIn<Name, Call> {
  readonly calls: readonly unknown[];
  readonly faults: { add(fault: { kind: FaultKind }, time: { after: number }): void; clear(): void };
  refuse(name: Name, time: { call: Call; times: number }): void;
  fail(kind: FaultKind, time: { call: Call; times: number }): void;
}

/** What a store answers to a call instead of doing it, and what Slipway has to do about it. */
export interface Row<Name extends string, Call extends string> {
  readonly refusal: Name | null;
  readonly fault: FaultKind | null;
  readonly call: Call;
  readonly times: number;
  /** What the message says; `null`: the submission goes on. */
  readonly says: string | null;
}

/** A file, and what the reader of it has found. */
export type SubmittedFile = Pick<Submission, 'sizeInBytes' | 'sha256'> & { readonly bytes: Buffer };

/** What a bench has of its store. */
interface BenchedStore<Name extends string, Call extends string> {
  readonly type: Class<Store>;
  readonly standIn: StandIn<Name, Call>;
  readonly config: Config;
  /** What is beside the steps, as far as the store has it alone. */
  readonly services: Services;
}

type Class<T> = abstract new (...args: never[]) => T;

/** More steps than any submission takes. */
const MAX_STEPS = 300;

/** A process that ends at a moment. */
class Killed extends Error {}

/** Services with what their constructors ask for, as Nest makes them. */
export class Services {
  private readonly made = new Map<unknown, unknown>();

  /** What needs a server or a database is given instead. */
  give<T>(type: Class<T>, values: Partial<T>): this {
    this.made.set(type, values);
    return this;
  }

  get<T>(type: Class<T>): T {
    const known = this.made.get(type) as T | undefined;
    if (known !== undefined) return known;
    const needs = (Reflect.getMetadata('design:paramtypes', type) ?? []) as Class<unknown>[];
    const made = Reflect.construct(
      type as new () => unknown,
      needs.map((need) => this.get(need)),
    ) as T;
    this.made.set(type, made);
    return made;
  }
}

/**
 * Runs the jobs of submissions against a stand-in: the steps of a store, and the engine that calls them, without a server, a
 * database and waits.
 */
export abstract class StoreBench<Name extends string, Call extends string> {
  /** After so many writes and calls, the process ends once; `null`: never. */
  killAfter: number | null = null;
  /** Writes and calls until now. */
  moments = 0;
  /** The submissions that have a turn. */
  readonly turns = new Set<string>();
  /** What other servers could find: each step that was written, with the names of what was stored. */
  readonly stored = new Set<string>();
  readonly standIn: StandIn<Name, Call>;
  protected readonly destinations = new Map<string, Partial<Destination>>();
  protected readonly session: StoreSession;
  protected readonly store: Store;
  private readonly rows = new Map<string, Submission>();
  /** Those that have left something in the store. */
  private readonly leftovers = new Set<string>();
  private readonly releases = new Map<string, ReleaseLook>();
  private readonly endings: SubmissionEndings;
  private lastCode: string | null = null;
  private isDead = false;
  private work: (run: WorkerRun) => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly file: SubmittedFile | null,
    { type, standIn, config, services }: BenchedStore<Name, Call>,
  ) {
    this.standIn = standIn;
    this.session = this.interruptible(sessionFor(config));
    this.giveTo(services.give(Config, config));
    this.store = this.watched(services.get(type));
    services.give(SubmissionStores, { of: () => this.store });
    this.endings = services.get(SubmissionEndings);
    services.get(SubmissionJob).onModuleInit();
  }

  /** What the store answers from now on. */
  refuse({ refusal, fault, call, times }: Row<Name, Call>): void {
    if (refusal !== null) this.standIn.refuse(refusal, { call, times });
    if (fault !== null) this.standIn.fail(fault, { call, times });
  }

  /** How the log quotes what the store answers; empty: it says nothing. */
  quoteOf({ refusal }: Row<Name, Call>): string {
    const words = refusal === null ? null : this.wordsOf(refusal);
    return words === null ? '' : `${this.store.name} says: ${words}`;
  }

  /** Does all steps of a submission, or of a change. A process that ends is followed by another one. */
  async run({ id }: Submission): Promise<Ended> {
    const log: string[] = [];
    const job = { id, organizationId: 'o', status: 'in_progress', statusMessage: null } as unknown as Job;
    const run = this.runOf(job, log);
    this.lastCode = null;
    this.releases.delete(id);
    for (let count = 0; count < MAX_STEPS; count++) {
      await this.untilKilled(() => this.work(run));
      const { status, statusMessage } = job;
      if (status !== 'succeeded' && status !== 'failed') continue;
      const { state, message, releaseId } = this.rowOf(id);
      const release = this.releases.get(releaseId ?? id) ?? null;
      return { status, statusMessage, state, message, code: this.lastCode, release, log: log.join('\n') };
    }
    throw new Error(`${id} never ends.`);
  }

  /** Removes from the store what a submission has left there. */
  discard(submission: Submission): Promise<void> {
    return this.store.discard(submission, this.session);
  }

  /** What the queue does after the end of a submission that has left something. */
  async clean(submission: Submission): Promise<void> {
    if (!this.leftovers.delete(submission.id)) return;
    await this.discard(submission).catch((error: unknown) => {
      if ((refusalOfError(error)?.refusal.retry ?? 'again') === 'again') throw error;
    });
    this.turns.delete(submission.id);
  }

  /** Where a release is. */
  look(submission: Submission): Promise<ReleaseLook> {
    return this.store.look(submission, this.session, null);
  }

  /** The first words of a refusal. */
  protected abstract wordsOf(refusal: Name): string | null;

  /** A row of `submissions`, as it is written. */
  protected keep(values: Partial<Submission> & Pick<Submission, 'id'>): Submission {
    const { id } = values;
    const row = {
      jobId: id,
      appId: 'app',
      destinationId: 'destination',
      type: this.store.type,
      action: 'submit',
      releaseId: null,
      createdByUserId: 'user',
      state: 'created',
      message: null,
      link: null,
      storeMessage: null,
      blobId: 'blob',
      sizeInBytes: this.file?.sizeInBytes ?? 0,
      sha256: this.file?.sha256 ?? '',
      symbolFiles: [],
      track: null,
      releaseStatus: null,
      userFraction: 1,
      releaseNotes: null,
      inAppUpdatePriority: null,
      cancelsReview: false,
      betaGroups: [],
      stepAttempts: 0,
      external: {},
      sealedUpload: null,
      sentBytes: 0,
      commitSentAt: null,
      waitsFor: null,
      waitingSince: null,
      ...values,
    } as Submission;
    this.rows.set(id, row);
    return row;
  }

  /** A change of a release, as a request makes it. */
  protected keepChange(release: Submission, values: Pick<Submission, 'action' | 'userFraction'>): Submission {
    const { destinationId, packageName, versionName, versionCode, artifactType, applePlatform } = release;
    const { track, releaseStatus } = release;
    const facts = {
      packageName,
      versionName,
      versionCode,
      artifactType,
      applePlatform,
      track,
      releaseStatus,
    };
    const id = `${values.action}-of-${release.id}`;
    return this.keep({ ...facts, ...values, id, destinationId, releaseId: release.id, step: values.action });
  }

  private giveTo(services: Services): void {
    const { file } = this;
    const bytes = file?.bytes ?? Buffer.alloc(0);
    const see = ({ id }: { id: string }, look: ReleaseLook): Promise<never> =>
      Promise.resolve(this.releases.set(id, look) as never);
    const clean = (id: string): Promise<void> => Promise.resolve(void this.leftovers.add(id));
    services
      .give(SubmissionProgress, new BenchProgress(this.rows, (row) => this.note(row)))
      .give(StoreCalls, { of: () => this.session })
      .give(StoreTurns, {
        obstacle: () => Promise.resolve(null),
        take: (_, { id }) => Promise.resolve(this.turns.add(id)).then(() => null),
        release: (id) => Promise.resolve(void this.turns.delete(id)),
        wakeNext: () => undefined,
      })
      .give(SubmissionCleanups, { request: clean })
      .give(StoreReleases, { record: see, see })
      .give(OrganizationsService, { get: () => Promise.resolve({ resumedAt: null } as Organization) })
      .give(JobKinds, { register: () => undefined })
      .give(WorkerJobs, { register: (_, { run }) => void (this.work = run) })
      .give(SecretBox, new SecretBox([randomBytes(32).toString('base64')]))
      .give(DestinationsService, {
        getMany: () => Promise.resolve(this.destinations as Map<string, Destination>),
      })
      .give(BlobsService, {
        get: () => Promise.resolve({ damagedAt: null } as never),
        openRange: (_, range) => {
          const { start, length } = range ?? { start: 0, length: bytes.length };
          return Promise.resolve(Readable.from([bytes.subarray(start, start + length)]));
        },
      });
  }

  private runOf(job: Job, log: string[]): WorkerRun {
    const hold = async <R>(work: () => Promise<R>): Promise<R> => {
      this.moment();
      const result = await work();
      this.moment();
      return result;
    };
    const end = (status: Job['status'], statusMessage: string | null): Promise<void> => {
      Object.assign(job, { status, statusMessage });
      return this.endings.ended(job);
    };
    const run: Partial<WorkerRun> = {
      job,
      hold,
      log: (...lines) => hold(() => Promise.resolve(void log.push(...lines))),
      goOn: ({ publish } = {}) => hold(async () => publish?.()),
      succeed: (publish) => hold(() => publish().then(() => end('succeeded', null))),
      fail: (reason) => hold(() => Promise.resolve(log.push(reason)).then(() => end('failed', reason))),
    };
    return run as WorkerRun;
  }

  private async untilKilled(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.isDead = false;
    }
  }

  /** A process that has ended writes and calls nothing any more. */
  private moment(): void {
    this.moments += 1;
    this.isDead ||= this.moments === this.killAfter;
    if (this.isDead) throw new Killed();
  }

  private interruptible({ organizationId, call }: StoreSession): StoreSession {
    return {
      organizationId,
      call: async (request) => {
        this.moment();
        const response = await call(request);
        this.moment();
        return response;
      },
    };
  }

  private watched(store: Store): Store {
    const recover: Store['recover'] = (refusal, context) => {
      this.lastCode = refusal.refusal.code;
      return store.recover(refusal, context);
    };
    return Object.assign(Object.create(store) as Store, { recover });
  }

  private note({ step, state, commitSentAt, sealedUpload, external }: Submission): void {
    const facts = [
      state,
      ...(sealedUpload === null ? [] : ['upload']),
      ...(commitSentAt === null ? [] : ['sent']),
    ];
    this.stored.add(`${step} (${facts.join(', ')}): ${Object.keys(external).sort().join(' ')}`);
  }

  private rowOf(id: string): Submission {
    const row = this.rows.get(id);
    if (row === undefined) throw new Error(`There is no submission ${id}.`);
    return row;
  }
}

/** The work on submissions, in memory. Rows are read as copies: what was not written is lost with its process. */
class BenchProgress extends SubmissionProgress {
  constructor(
    private readonly rows: ReadonlyMap<string, Submission>,
    written: (row: Submission) => void,
  ) {
    const find = (id: string): Submission | null => structuredClone(rows.get(id) ?? null);
    const repository = {
      findOneBy: ({ id }: { id: string }) => Promise.resolve(find(id)),
      findOne: ({ where }: { where: { jobId: string } }) => Promise.resolve(find(where.jobId)),
      update: (id: string, changes: Partial<Submission>) => {
        const row = Object.assign(rows.get(id) ?? {}, structuredClone(changes)) as Submission;
        written(row);
        return Promise.resolve();
      },
    };
    super(repository as unknown as Repository<Submission>);
  }

  override findByJob(jobId: string): Promise<Submission | null> {
    return this.find(jobId);
  }

  override ofStoreIds({ packageName }: Submission, ids: readonly string[]): Promise<Submission[]> {
    const isOne = (id: unknown): boolean => ids.some((one) => one === id);
    const own = [...this.rows.values()].filter((row) => row.packageName === packageName);
    const named = own.filter(
      ({ external }) => isOne(external['buildUploadId']) || isOne(external['buildId']),
    );
    return Promise.resolve(structuredClone(named.reverse()));
  }

  override actionRequired(packageName: string, track: string): Promise<Submission[]> {
    const isOne = (row: Submission): boolean =>
      row.packageName === packageName && row.track === track && row.state === 'failed_with_action_required';
    return Promise.resolve(structuredClone([...this.rows.values()].filter(isOne)));
  }
}
