import type { TestApp } from '../../builders/app.js';
import { eventually } from '../eventually.js';
import { expectCreated } from '../http/expect-created.js';
import { readJob } from '../jobs/leases.js';
import type { OwnSite } from '../servers/own-site.js';
import { uniqueName } from '../unique-name.js';
import { startBuild, takeJob, type TestBuild } from './leases.js';
import { uploadSource } from './sources.js';

/** What has become of a build that takes its number from the store. */
export interface NumberedBuild {
  readonly status: string;
  readonly storeBuildNumber: number | null;
  readonly statusMessage: string | null;
  readonly log: readonly string[];
}

/** Builds of an app that take their numbers from a store. */
export class NumberedBuilds {
  private source: string | null = null;

  constructor(
    readonly site: OwnSite,
    readonly app: TestApp,
    private readonly platform: 'android' | 'ios' = 'android',
  ) {}

  /** A configuration whose builds are numbered by the store. @returns its id */
  async configure(values: object = {}): Promise<string> {
    const body = { name: uniqueName('numbered'), buildNumber: 'store', ...values };
    return expectCreated<{ id: string }>(await this.app.api.post(`${this.app.path}/configurations`, body)).id;
  }

  /** What starts a build. */
  async body(values: object = {}): Promise<object> {
    this.source ??= await uploadSource(this.app);
    return { platform: this.platform, appBuildSourceId: this.source, ...values };
  }

  /** Starts a build with a configuration, by default a new one. */
  async start(appConfigurationId?: string, values: object = {}): Promise<TestBuild> {
    const id = appConfigurationId ?? (await this.configure());
    return startBuild(this.app, await this.body({ appConfigurationId: id, ...values }));
  }

  /** Lets builds ask the store now that wait for a time. */
  async hurry(): Promise<void> {
    await this.site.query(
      `UPDATE queue.job SET start_after = now()
        WHERE name = 'build-numbers' AND state IN ('created', 'retry') AND start_after > now()`,
    );
  }

  async find({ id, jobId }: TestBuild): Promise<NumberedBuild & { readonly isHeld: boolean }> {
    const [job] = await this.site.query<{ isHeld: boolean }>(
      'SELECT is_held AS "isHeld" FROM jobs WHERE id = $1',
      [jobId],
    );
    const shown = await readJob(this.app, jobId);
    const build = (await this.app.api.get(`${this.app.path}/builds/${id}`)).body as NumberedBuild;
    return {
      isHeld: job?.isHeld ?? false,
      status: shown.status,
      storeBuildNumber: build.storeBuildNumber,
      statusMessage: shown['statusMessage'] as string | null,
      log: shown.jobLogs.map(({ payload }) => payload),
    };
  }

  /** What has become of a build, when runners may take it or it has ended. */
  end(build: TestBuild): Promise<NumberedBuild> {
    return eventually(async () => {
      await this.hurry();
      const { isHeld, ...found } = await this.find(build);
      expect([found.status, isHeld]).not.toEqual(['queued', true]);
      return found;
    });
  }

  /** Builds up to the number. */
  async number(appConfigurationId?: string): Promise<number | null> {
    return (await this.end(await this.start(appConfigurationId))).storeBuildNumber;
  }

  /** What the runner of a build gets. */
  async payload({ jobId }: TestBuild): Promise<{ readonly status: number; readonly configuration: unknown }> {
    const { status, body } = await (await takeJob(jobId, this.site)).api.get('/v1/runner/job/payload');
    return { status, configuration: (body as { configuration?: unknown }).configuration };
  }
}
