import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { transaction } from '../../database/transactions/transaction.js';
import { Metrics, samplesOf } from '../../metrics/metrics.js';
import { QueueService } from '../../queue/queue.service.js';
import type { StoreRefusal } from '../calls/refusals/refusal.js';
import { refusalOfError } from '../calls/refusals/retry-delay.js';
import { StoreCalls } from '../calls/store-calls.service.js';
import { REQUEST_PATIENCE_MS, type StoreSession } from '../calls/store-session.js';
import { SubmissionStores } from '../flow/store.js';
import type { ReleaseLook } from '../releases/release-look.js';
import type { ReleaseStatus, StoreRelease } from '../releases/store-release.entity.js';
import { StoreReleases } from '../releases/store-releases.service.js';
import { SubmissionProgress } from '../submissions/submission-progress.service.js';
import type { Submission } from '../submissions/submission.entity.js';
import { nextLookAfterFailure, nextLookForQuota } from './look-schedule.js';
import { type LookJob, RELEASE_LOOKS_QUEUE, ReleaseWatch } from './release-watch.service.js';

const REVIEWS: readonly ReleaseStatus[] = ['waiting_for_review', 'in_review'];
/** Days from which a review takes unusually long. */
const LONG_REVIEW = 7;
const DAY_MS = 24 * 3600 * 1000;

/** What is said when a look fails because of this server. */
const OWN_FAILURE =
  'The server could not read what the store says. Its operator finds the reason in the log.';

/** What a look has found. */
type Outcome =
  { readonly look: ReleaseLook } | { readonly look: null; readonly refusal: StoreRefusal | null };

/** Asks stores where releases are, outside of transactions. */
@Injectable()
export class ReleaseLooks implements OnModuleInit {
  private readonly logger = new Logger(ReleaseLooks.name);
  /** Looks of this process since its start. */
  private readonly outcomes = { moved: 0, same: 0, failed: 0 };

  constructor(
    private readonly releases: StoreReleases,
    private readonly progress: SubmissionProgress,
    private readonly stores: SubmissionStores,
    private readonly calls: StoreCalls,
    private readonly watch: ReleaseWatch,
    private readonly queue: QueueService,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.counter(
      {
        name: 'slipway_release_looks_total',
        help: 'Times that a store was asked where a release is, by what came of it.',
        labelNames: ['outcome'],
      },
      () => samplesOf('outcome', this.outcomes),
    );
    this.queue.handle<LookJob>(RELEASE_LOOKS_QUEUE, (job) => this.run(job));
  }

  private async run({ releaseId, organizationId, dueAt }: LookJob): Promise<void> {
    const release = (await this.releases.getMany([releaseId])).get(releaseId);
    const submission = await this.progress.find(releaseId);
    if (submission === null || !isDue(release, dueAt)) return;
    const origin = { organizationId, submissionId: releaseId, patienceMs: REQUEST_PATIENCE_MS };
    const { session, keep } = this.calls.keptOnDemand(origin);
    const outcome = await this.ask(submission, release, session);
    const result = await transaction(async () => {
      const current = await this.releases.lock(releaseId);
      // Deleted, or a change or another look was faster: then this one may be old.
      if (!isDue(current, dueAt)) return null;
      return this.write(submission, current, outcome);
    });
    if (result === null) return;
    this.outcomes[result]++;
    if (result !== 'same') await keep();
  }

  private async ask(submission: Submission, known: StoreRelease, session: StoreSession): Promise<Outcome> {
    try {
      return { look: await this.stores.of(submission.type).look(submission, session, toLook(known)) };
    } catch (error) {
      const refusal = refusalOfError(error);
      if (refusal === null) {
        this.logger.error({ err: error, releaseId: submission.id }, 'A store was not asked about a release');
      }
      return { look: null, refusal };
    }
  }

  private async write(
    submission: Submission,
    current: StoreRelease,
    outcome: Outcome,
  ): Promise<'moved' | 'same' | 'failed'> {
    if (outcome.look === null) return this.writeFailure(current, outcome.refusal);
    const { look } = outcome;
    const since = look.status === current.status ? current.statusSince : databaseNow();
    const message = sentenceOf(look, since, databaseNow());
    const written = await this.releases.see(submission, { ...look, message });
    const isSame =
      written.status === current.status &&
      written.userFraction === current.userFraction &&
      written.storeStatus === current.storeStatus;
    return isSame ? 'same' : 'moved';
  }

  private async writeFailure(
    current: StoreRelease,
    refusal: StoreRefusal | null,
  ): Promise<'same' | 'failed'> {
    const { does, afterSeconds = 0, sentence = OWN_FAILURE } = refusal?.refusal ?? {};
    const { times } = this.watch;
    if (does === 'wait-for-quota') {
      await this.watch.plan(current, nextLookForQuota(afterSeconds, times));
      return 'same';
    }
    const failedLooks = current.failedLooks + 1;
    const seconds = nextLookAfterFailure(failedLooks, afterSeconds, times);
    const lookError = failureSentence(sentence, seconds === null);
    await this.releases.planLook(current.id, { failedLooks, lookError });
    await this.watch.plan(current, seconds);
    return 'failed';
  }
}

function isDue(release: StoreRelease | null | undefined, dueAt: string): release is StoreRelease {
  return release?.nextLookAt?.toISOString() === dueAt;
}

function toLook(known: StoreRelease): ReleaseLook {
  const { status, userFraction, resumeFraction, message, storeStatus, link } = known;
  return { status, userFraction, resumeFraction, message, storeStatus, link };
}

/** What is said about a release: the sentence of the store, and about a review that takes long, what to do. */
function sentenceOf(
  { status, message }: Pick<ReleaseLook, 'status' | 'message'>,
  since: Date,
  now: Date,
): string {
  const isLong = REVIEWS.includes(status) && now.getTime() - since.getTime() >= LONG_REVIEW * DAY_MS;
  if (!isLong) return message;
  return `${message} The review has taken more than ${LONG_REVIEW} days: ask the support of the store.`;
}

/** Why the last look has failed. @param why one sentence @param isLast whether Slipway gives up */
function failureSentence(why: string, isLast: boolean): string {
  return isLast ? `${why} Slipway has stopped asking the store where the release is.` : why;
}
