import type { TestApp } from '../../builders/app.js';
import { eventually } from '../eventually.js';
import type { TestJob } from '../jobs/leases.js';
import type { ApiKeyFile } from './app-store-connect/api-keys.js';
import { addVersion } from './app-store-connect/state/app-store/store-version.js';
import type { DescribedVersion } from './app-store-connect/state/app-store/describe-version.js';
import type { AppleApp } from './app-store-connect/state/connect-state.js';
import { AppleSite, type AppleSiteApp, TestFlightApp } from './apple-submissions.js';
import type { EndedSubmission, TestStoreDeployment, TestSubmission } from './store-submissions.js';

/** Where a release is, as responses have it. */
export interface TestRelease {
  readonly status: string;
  readonly since: string;
  readonly rolloutPercentage: number | null;
  readonly resumePercentage: number | null;
  readonly storeStatus: string | null;
  readonly message: string;
  readonly link: string | null;
}

/** A change of a release that is open. */
export interface TestOpenAction {
  readonly id: string;
  readonly action: string;
  readonly jobId: string;
  readonly rolloutPercentage: number | null;
}

/** A deployment to the App Store. */
export interface TestStoreRelease extends TestStoreDeployment {
  readonly rolloutPercentage: number | null;
  readonly submission: TestSubmission & {
    readonly release: TestRelease | null;
    readonly openAction: TestOpenAction | null;
  };
}

/** What came of a change of a release. */
export interface EndedChange extends TestStoreRelease {
  readonly job: TestJob;
  readonly log: string;
}

/** A response of the API. */
interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

/** A server that asks where releases are as often as it can. */
export function startAppStore(env: Readonly<Record<string, string>> = {}): Promise<AppleSite> {
  return AppleSite.start({ RELEASE_WATCH_SECONDS: '1', ...env });
}

/** An app whose destination leads to a review for the App Store. */
export class AppStoreApp extends TestFlightApp {
  /** An app of which version 1.0 is live, unless `apple` says otherwise. */
  static async of(appleSite: AppleSite, bundleId: string, options: AppleSiteApp = {}): Promise<AppStoreApp> {
    const apple = appleSite.connect.addApp({
      bundleId,
      versions: [{ versionString: '1.0' }],
      ...options.apple,
    });
    const destination = { appleSubmitForReview: true, ...options.destination };
    const { app, key, destinationId } = await appleSite.app(bundleId, { ...options, destination });
    const published = new AppStoreApp(appleSite, app, apple, key, destination);
    published.destinationId = destinationId;
    return published;
  }

  private constructor(
    site: AppleSite,
    app: TestApp,
    apple: AppleApp,
    key: ApiKeyFile,
    private readonly fields: object,
  ) {
    super(site, app, apple, key);
  }

  /** A destination with other values. @returns its id */
  override addDestination(values: object = {}): Promise<string> {
    return super.addDestination({ ...this.fields, ...values });
  }

  /** Adds a version that App Store Connect has had before. */
  addVersion(versionString: string, state: DescribedVersion['state']): void {
    addVersion(this.apple, { versionString, state });
  }

  /** Its versions for the App Store, as a person sees them. */
  get versions(): DescribedVersion[] {
    return this.appleSite.connect.versionsOf(this.bundleId);
  }

  version(versionString: string): DescribedVersion | undefined {
    return this.versions.find((one) => one.versionString === versionString);
  }

  /** App Review decides about a version. */
  review(
    versionString: string,
    decision: 'begin' | 'approve' | 'reject' | 'reject-metadata' | 'invalid-binary',
  ): void {
    this.appleSite.connect.reviewVersion(this.bundleId, versionString, decision);
  }

  /** Builds a version and sends it to review, until it waits there. */
  async sendToReview(
    version: string,
    buildNumber: string,
    values: object = {},
  ): Promise<TestStoreRelease & EndedSubmission> {
    const ended = await this.release(version, buildNumber, {
      releaseNotes: { default: 'Faster.' },
      ...values,
    });
    expect([ended.job['statusMessage'], ended.job.status]).toEqual([null, 'succeeded']);
    expect(this.version(version)?.state).toBe('WAITING_FOR_REVIEW');
    return ended as TestStoreRelease & EndedSubmission;
  }

  override async deployment(id: string): Promise<TestStoreRelease> {
    return (await super.deployment(id)) as TestStoreRelease;
  }

  /** Waits until Slipway knows that a release is there. */
  seen(
    { id }: { readonly id: string },
    status: string,
    expected: Partial<TestRelease> = {},
    patience = 60_000,
  ): Promise<TestRelease> {
    return eventually(async () => {
      await this.hurryLooks();
      const { release } = (await this.deployment(id)).submission;
      expect(release).toMatchObject({ status, ...expected });
      return release as TestRelease;
    }, patience);
  }

  /** Lets the server ask the store now. */
  async hurryLooks(): Promise<void> {
    await this.appleSite.site.query(
      `UPDATE queue.job SET start_after = now()
        WHERE name = 'release-looks' AND state IN ('created', 'retry') AND start_after > now()`,
    );
  }

  /** Requests a share. */
  setShare(
    { id }: { readonly id: string },
    rolloutPercentage: number,
    values: object = {},
  ): Promise<ApiResponse> {
    return this.app.api.patch(`${this.app.path}/deployments/${id}`, { rolloutPercentage, ...values });
  }

  /** Requests the release of an approved version, or its withdrawal from the review. */
  request(
    { id }: { readonly id: string },
    action: 'release' | 'withdraw',
    values: object = {},
  ): Promise<ApiResponse> {
    return this.app.api.post(`${this.app.path}/deployments/${id}/${action}`, values);
  }

  /** What came of a change that was requested, when its job has ended. */
  async endChange({ status, body }: ApiResponse): Promise<EndedChange> {
    const deployment = body as TestStoreRelease;
    expect([status, deployment.submission?.openAction ?? body]).toEqual([
      200,
      expect.objectContaining({ jobId: expect.any(String) as string }),
    ]);
    const { jobId } = deployment.submission.openAction as TestOpenAction;
    const { job, log } = await this.end({ ...deployment, jobId });
    return { ...(await this.deployment(deployment.id)), job, log };
  }

  /** A change that has to succeed. */
  async change(response: ApiResponse): Promise<EndedChange> {
    const ended = await this.endChange(response);
    expect([ended.job['statusMessage'], ended.job.status, ended.submission.openAction]).toEqual([
      null,
      'succeeded',
      null,
    ]);
    return ended;
  }

  /** A withdrawal that waits for Apple has waited for years. */
  async waitForYears({ id }: { readonly id: string }): Promise<void> {
    await eventually(async () => {
      await this.appleSite.hurry();
      const late = await this.appleSite.site.query(
        `UPDATE submissions SET external = external || '{"roomSince": "2020-01-01T00:00:00Z"}'
          WHERE release_id = $1 AND external ? 'roomSince' AND state IN ('created', 'preprocessing', 'preparing')
          RETURNING id`,
        [id],
      );
      expect(late).toHaveLength(1);
    });
  }

  /** The review submissions with a version that were not sent. */
  get drafts(): string[] {
    return this.apple.reviewSubmissions
      .filter(({ state, items }) => state === 'READY_FOR_REVIEW' && items.length > 0)
      .map(({ id }) => id);
  }

  /** No turn is left. */
  async expectNothingLeft(): Promise<void> {
    await eventually(async () => {
      await this.appleSite.hurry();
      const turns = await this.appleSite.site.query(
        `SELECT FROM store_turns JOIN submissions ON submissions.id = submission_id WHERE package_name = $1`,
        [this.bundleId],
      );
      expect(turns).toEqual([]);
    });
  }
}
