import type { TestApp } from '../../builders/app.js';
import { eventually } from '../eventually.js';
import { expectCreated } from '../http/expect-created.js';
import { readJob, type TestJob, type TestJobLog } from '../jobs/leases.js';
import type { OwnSite } from '../servers/own-site.js';

/** Where a release is, as responses have it. */
export interface TestRelease {
  readonly status: string;
  readonly rolloutPercentage: number | null;
  readonly resumePercentage: number | null;
  readonly storeStatus: string | null;
  readonly message: string;
}

/** The submission of a deployment, as responses have it. */
export interface TestSubmission {
  readonly action: string;
  readonly state: string;
  readonly message: string | null;
  readonly link: string | null;
  readonly storeIds: Readonly<Record<string, string>>;
  readonly track: string | null;
  readonly versionCode: string;
  readonly rolloutPercentage: number;
  readonly release: TestRelease | null;
  /** The change of the release that has not ended. */
  readonly openAction: { readonly id: string; readonly jobId: string } | null;
}

/** A deployment to a store. */
export interface TestStoreDeployment {
  readonly id: string;
  readonly jobId: string;
  readonly submission: TestSubmission;
}

/** What came of a submission. */
export interface EndedSubmission extends TestStoreDeployment {
  readonly job: TestJob;
  /** Of its job, in one text. */
  readonly log: string;
}

/** A server that submits to a stand-in of its own. */
export abstract class StoreSite {
  constructor(readonly site: OwnSite) {}

  /** Lets submissions go on now that wait for a time. */
  async hurry(): Promise<void> {
    await this.site.query(
      `UPDATE queue.job SET start_after = now()
        WHERE name IN ('submissions', 'submission-cleanups') AND state IN ('created', 'retry') AND start_after > now()`,
    );
  }

  /** What a server that has ended was doing is due now, as when the queue has noticed it. */
  async repeatLost(): Promise<void> {
    await this.site.query(
      `UPDATE queue.job SET state = 'retry', start_after = now() WHERE name = 'submissions' AND state = 'active'`,
    );
  }

  /** Kills the server while a call waits, and starts it again. */
  async killDuring(hold: { arrived: Promise<void>; release(): void }): Promise<void> {
    await hold.arrived;
    await this.site.kill();
    hold.release();
    await this.site.restart();
    await this.repeatLost();
  }
}

/** An app with a destination in a store. */
export abstract class StoreApp {
  /** Where deployments go. */
  destinationId = '';

  constructor(
    private readonly storeSite: StoreSite,
    readonly app: TestApp,
  ) {}

  /** Submits a build to the destination. */
  async deploy(appBuildId: string, values: object = {}): Promise<TestStoreDeployment> {
    return expectCreated<TestStoreDeployment>(
      await this.app.api.post(`${this.app.path}/deployments`, {
        appBuildId,
        appDestinationId: this.destinationId,
        ...values,
      }),
    );
  }

  async deployment(id: string): Promise<TestStoreDeployment> {
    return (await this.app.api.get(`${this.app.path}/deployments/${id}`)).body as TestStoreDeployment;
  }

  job({ jobId }: Pick<TestStoreDeployment, 'jobId'>): Promise<TestJob & { jobLogs: readonly TestJobLog[] }> {
    return readJob(this.app, jobId);
  }

  /** The log of its job, in one text. */
  async log(deployment: Pick<TestStoreDeployment, 'jobId'>): Promise<string> {
    return textOf((await this.job(deployment)).jobLogs);
  }

  /** What came of it, when its job has ended. Waits are as short as they can be. */
  async end(deployment: TestStoreDeployment, patience = 60_000): Promise<EndedSubmission> {
    return eventually(async () => {
      await this.storeSite.hurry();
      const job = await this.job(deployment);
      expect(job['finishedAt']).not.toBeNull();
      return { ...(await this.deployment(deployment.id)), job, log: textOf(job.jobLogs) };
    }, patience);
  }
}

function textOf(logs: readonly TestJobLog[]): string {
  return logs.map(({ payload }) => payload).join('\n');
}
