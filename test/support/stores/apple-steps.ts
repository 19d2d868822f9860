import { AppStoreConnectClient } from '../../../src/app-submissions/stores/app-store-connect/app-store-connect-client.js';
import type { CallBudget } from '../../../src/app-submissions/stores/app-store-connect/rate-limits/call-budget.service.js';
import { AttachStep } from '../../../src/app-submissions/stores/app-store-connect/steps/app-store/attach.step.js';
import { freeVersion } from '../../../src/app-submissions/stores/app-store-connect/steps/app-store/free-version.js';
import { ReviewDraft } from '../../../src/app-submissions/stores/app-store-connect/steps/app-store/review-draft.service.js';
import { ReviewRoom } from '../../../src/app-submissions/stores/app-store-connect/steps/app-store/review-room.service.js';
import { SubmitReviewStep } from '../../../src/app-submissions/stores/app-store-connect/steps/app-store/submit-review.step.js';
import { VersionEditor } from '../../../src/app-submissions/stores/app-store-connect/steps/app-store/version-editor.service.js';
import { VersionStep } from '../../../src/app-submissions/stores/app-store-connect/steps/app-store/version.step.js';
import { WhatsNewStep } from '../../../src/app-submissions/stores/app-store-connect/steps/app-store/whats-new.step.js';
import type { AppleAccounts } from '../../../src/app-submissions/stores/app-store-connect/steps/apple-accounts.service.js';
import { AppleRecovery } from '../../../src/app-submissions/stores/app-store-connect/steps/apple-recovery.service.js';
import { AppleReleases } from '../../../src/app-submissions/stores/app-store-connect/steps/changes/apple-releases.service.js';
import { ReleaseStep } from '../../../src/app-submissions/stores/app-store-connect/steps/changes/release.step.js';
import { RolloutStep } from '../../../src/app-submissions/stores/app-store-connect/steps/changes/rollout.step.js';
import { WithdrawStep } from '../../../src/app-submissions/stores/app-store-connect/steps/changes/withdraw.step.js';
import { refusalOfError } from '../../../src/app-submissions/stores/refusals/retry-delay.js';
import type { StepContext, StepResult } from '../../../src/app-submissions/stores/store.js';
import type { StoreTurns } from '../../../src/app-submissions/store-turns/store-turns.service.js';
import type { SubmissionProgress } from '../../../src/app-submissions/submissions/submission-progress.service.js';
import type { Submission } from '../../../src/app-submissions/submissions/submission.entity.js';
import type { ReleaseLook } from '../../../src/app-submissions/releases/release-look.js';
import type { StoreSession } from '../../../src/app-submissions/stores/store-calls/store-session.js';
import type { ApiKeyFile } from './app-store-connect/api-keys.js';
import type { AppStoreConnect } from './app-store-connect/app-store-connect.js';
import { addBuild } from './app-store-connect/state/builds.js';
import type { AppleApp } from './app-store-connect/state/connect-state.js';
import { configFor, sessionFor } from './store-servers.js';

/** How a submission or a change has ended. */
export type Ended =
  | Extract<StepResult, { kind: 'done' | 'failed' }>
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** More steps than any submission takes. */
const MAX_STEPS = 300;

/** A process that ends at a moment. */
class Killed extends Error {}

/** Runs the steps for the App Store against a stand-in, without a server, a database and waits. */
export class AppleSteps {
  /** After so many writes and calls, the process ends once; `null`: never. */
  killAfter: number | null = null;
  /** Writes and calls until now. */
  moments = 0;
  private readonly rows = new Map<string, Submission>();
  private readonly steps: ReadonlyMap<string, { run(context: StepContext): Promise<StepResult> }>;
  private readonly recovery: AppleRecovery;
  private readonly releases: AppleReleases;
  private readonly client: AppStoreConnectClient;
  /** With the keys that looks and changes may use, in their order. */
  private readonly clients: AppStoreConnectClient[];

  constructor(
    private readonly connect: AppStoreConnect,
    private readonly app: AppleApp,
    /** Of the submissions. */
    key = connect.addKey({ team: app.team }),
  ) {
    this.client = this.clientOf(key);
    this.clients = [this.client];
    const accounts = {
      clientOf: () => Promise.resolve(this.client),
      withClient: () => Promise.resolve({ client: this.client, defaultLanguage: null }),
      clientsOf: () => Promise.resolve(this.clients),
      keysOf: () => Promise.resolve([]),
    } as unknown as AppleAccounts;
    const turns = { take: () => Promise.resolve(null) } as unknown as StoreTurns;
    const progress = {
      find: (id: string) => Promise.resolve(this.rows.get(id) ?? null),
    } as unknown as SubmissionProgress;
    this.recovery = new AppleRecovery(accounts);
    this.releases = new AppleReleases(accounts, progress);
    const { releases } = this;
    this.steps = new Map(
      Object.entries({
        version: new VersionStep(accounts, turns, new ReviewRoom(), new VersionEditor()),
        attach: new AttachStep(accounts),
        'whats-new': new WhatsNewStep(accounts),
        'submit-review': new SubmitReviewStep(accounts, new ReviewDraft()),
        'set-rollout': new RolloutStep(releases),
        release: new ReleaseStep(releases),
        withdraw: new WithdrawStep(releases),
      }),
    );
  }

  /** The destination has another key now. */
  addKey(key: ApiKeyFile): void {
    this.clients.push(this.clientOf(key));
  }

  /** The destination has no key any more, nor have the submissions. */
  removeKeys(): void {
    this.clients.length = 0;
  }

  /** Asks where a release is. */
  look(submission: Submission): Promise<ReleaseLook> {
    return this.releases.look(submission, {} as StoreSession, null);
  }

  /** A submission whose build is in TestFlight. */
  submission(version: string, buildNumber: string, values: Partial<Submission> = {}): Submission {
    const build = addBuild(this.app, { version, buildNumber, usesNonExemptEncryption: false });
    return this.keep({
      id: `submission-${version}-${buildNumber}`,
      versionName: version,
      versionCode: buildNumber,
      applePlatform: 'ios',
      releaseId: null,
      releaseNotes: { default: 'Faster.' },
      submitsForReview: true,
      rejectsIfPossible: false,
      appleReleaseType: 'manual',
      earliestReleaseAt: null,
      isPhased: false,
      commitSentAt: new Date(),
      step: 'version',
      external: { appleAppId: this.app.id, buildId: build.id, primaryLocale: 'en-US', isDelivered: true },
      ...values,
    });
  }

  /** A change of the release of a submission. */
  change(release: Submission, action: 'set-rollout' | 'release' | 'withdraw', userFraction = 1): Submission {
    return this.keep({
      id: `${action}-of-${release.id}`,
      releaseId: release.id,
      action,
      step: action,
      userFraction,
      commitSentAt: null,
      external: {},
    });
  }

  /** Runs all steps, as the engine does. */
  async run(submission: Submission): Promise<Ended> {
    const context = this.contextOf(submission);
    for (let count = 0; count < MAX_STEPS; count++) {
      try {
        const result = await this.attempt(context);
        if (result.kind === 'done' || result.kind === 'failed') return result;
        const isAgain = result.kind === 'again';
        const next = result.kind === 'wait' || result.kind === 'on' ? undefined : result.step;
        const step = next ?? submission.step;
        Object.assign(submission, { step, stepAttempts: isAgain ? submission.stepAttempts + 1 : 0 });
      } catch (error) {
        if (error instanceof Killed) continue;
        const refusal = refusalOfError(error);
        if (refusal === null) throw error;
        return { kind: 'refused', code: refusal.refusal.code, message: refusal.message };
      }
    }
    throw new Error(`${submission.id} never ends.`);
  }

  /** Removes what a submission has left that has ended early. */
  discard(submission: Submission): Promise<void> {
    return freeVersion(submission, this.client);
  }

  private clientOf({ keyId, issuerId, p8 }: ApiKeyFile): AppStoreConnectClient {
    const config = configFor('http://127.0.0.1:1');
    config.stores.appStoreConnectUrl = this.connect.url;
    const session = sessionFor(config);
    const call: typeof session.call = async (request) => {
      this.moment();
      const response = await session.call(request);
      this.moment();
      return response;
    };
    const budget = { take: () => Promise.resolve(), learn: () => Promise.resolve() };
    return new AppStoreConnectClient(Object.assign(Object.create(session), { call }), {
      baseUrl: this.connect.url,
      key: { keyId, issuerId, privateKeyPem: p8 },
      budget: budget as unknown as CallBudget,
    });
  }

  private async attempt(context: StepContext): Promise<StepResult> {
    const { step } = context.submission;
    try {
      return await (this.steps.get(step) ?? raise(step)).run(context);
    } catch (error) {
      const refusal = refusalOfError(error);
      const result = refusal === null ? null : await this.recovery.after(refusal, context);
      if (result === null) throw error;
      return result;
    }
  }

  private contextOf(submission: Submission): StepContext {
    return {
      submission,
      session: { organizationId: 'o' } as StepContext['session'],
      log: () => Promise.resolve(this.moment()),
      save: async (changes, work) => {
        this.moment();
        await work?.();
        Object.assign(submission, changes);
        this.moment();
      },
    };
  }

  private moment(): void {
    this.moments += 1;
    if (this.moments === this.killAfter) throw new Killed();
  }

  private keep(values: Partial<Submission>): Submission {
    const submission = { stepAttempts: 0, ...values } as Submission;
    this.rows.set(submission.id, submission);
    return submission;
  }
}

function raise(step: string): never {
  throw new Error(`There is no step ${step}.`);
}
