import { passStep, putPlan, type TestPlan } from '../../builders/rollout-plan.js';
import { createToken } from '../../builders/token.js';
import { eventually } from '../../support/eventually.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';
import type { TestStoreDeployment } from '../../support/stores/store-submissions.js';

let playSite: PlaySite;
let count = 0;

beforeAll(async () => {
  playSite = await PlaySite.start();
});
afterAll(() => playSite.dispose());
beforeEach(() => playSite.play.faults.clear());

/** What tests read of a deployment whose release is in the store. */
interface Released extends TestStoreDeployment {
  readonly rolloutPercentage: number;
  readonly submission: TestStoreDeployment['submission'] & {
    readonly release: { readonly status: string; readonly rolloutPercentage: number | null } | null;
    readonly openAction: { readonly jobId: string; readonly rolloutPercentage: number | null } | null;
  };
}

/** An app that has released version 1. */
const newApp = (options: Parameters<PlaySite['app']>[1] = {}): Promise<PublishedApp> =>
  playSite.app(`com.example.plan${++count}`, {
    play: { tracks: { production: [{ status: 'completed', versionCodes: ['1'] }] } },
    ...options,
  });

/** An app with a release of version 2 that a tenth of the users have. */
async function staged(options: Parameters<PlaySite['app']>[1] = {}): Promise<Rollout> {
  const app = await newApp(options);
  const { id } = await app.release(2, { rolloutPercentage: 0.1 });
  return new Rollout(app, id);
}

class Rollout {
  constructor(
    readonly app: PublishedApp,
    readonly id: string,
  ) {}

  get path(): string {
    return `${this.app.app.path}/deployments/${this.id}`;
  }

  /** A plan of the shares 0.1, 0.5 and 1. */
  put(values: object = {}, ...actions: readonly string[]): Promise<TestPlan> {
    return putPlan(this.app.app, this.id, values, ...actions);
  }

  act(action: string) {
    return this.app.app.api.post(`${this.path}/rollout-plan/${action}`);
  }

  async plan(): Promise<TestPlan> {
    return (await this.app.app.api.get(`${this.path}/rollout-plan`)).body as TestPlan;
  }

  /** The plan, when it is so. */
  becomes(values: object): Promise<TestPlan> {
    return eventually(async () => {
      await playSite.hurry();
      const plan = await this.plan();
      expect(plan).toMatchObject(values);
      return plan;
    });
  }

  async deployment(): Promise<Released> {
    return (await this.app.app.api.get(this.path)).body as Released;
  }

  /** Of the users, as far as the store has taken it. */
  async share(): Promise<number | null> {
    return (await this.deployment()).submission.release?.rolloutPercentage ?? null;
  }

  /** What the track has had since the release was staged. */
  get history(): string[] {
    const all = playSite.play.historyOf(this.app.packageName, 'production');
    return all.slice(all.findIndex((one) => one.includes('0.1')));
  }

  passStep(): Promise<void> {
    return passStep(this.id, playSite.site);
  }

  /** Waits until the store has what has been requested. */
  settled(): Promise<Released> {
    return eventually(async () => {
      await playSite.hurry();
      const deployment = await this.deployment();
      expect(deployment.submission.openAction).toBeNull();
      return deployment;
    });
  }
}

describe('a plan of a release on Google Play', () => {
  it('raises the share in the store with each step, and is completed when all users get the release', async () => {
    const rollout = await staged();
    // A tenth of the users have it already: the time of the first step begins at once.
    expect(await rollout.put({}, 'start')).toMatchObject({
      state: 'running',
      stepIndex: 0,
      stepEndsAt: expect.any(String) as string,
    });
    await rollout.passStep();
    const second = await rollout.becomes({
      state: 'running',
      stepIndex: 1,
      stepEndsAt: expect.any(String) as string,
    });
    expect(Date.parse(second.stepEndsAt ?? '') - Date.parse(second.stepStartedAt ?? '')).toBe(3_600_000);
    expect(await rollout.deployment()).toMatchObject({
      rolloutPercentage: 0.5,
      submission: { release: { status: 'rolling_out', rolloutPercentage: 0.5 }, openAction: null },
    });
    await rollout.passStep();
    await rollout.becomes({ state: 'completed', stepIndex: 2 });
    expect(await rollout.deployment()).toMatchObject({
      rolloutPercentage: 1,
      submission: { release: { status: 'released', rolloutPercentage: 1 } },
    });
    expect(rollout.history).toEqual([
      expect.stringContaining('2 inProgress 0.1'),
      expect.stringContaining('2 inProgress 0.5'),
      expect.stringContaining('2 completed'),
    ]);
  });

  it('says in the history that the plan has changed the share', async () => {
    const rollout = await staged();
    await rollout.put({}, 'start');
    await rollout.passStep();
    await rollout.becomes({ stepIndex: 1, stepEndsAt: expect.any(String) as string });
    const { body } = await rollout.app.app.api.get(`${rollout.path}/history`);
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'requested', action: 'set-rollout', actor: 'rollout-plan' }),
        expect.objectContaining({ kind: 'ended', action: 'set-rollout', hasSucceeded: true }),
      ]),
    );
  });

  it('has no health gate, and begins with no less than users have', async () => {
    const rollout = await staged();
    const put = (body: object) => rollout.app.app.api.put(`${rollout.path}/rollout-plan`, body);
    const healthGate = { maxFailureShare: 0.02, minDevices: 100 };
    expectInvalid(await put({ steps: [{ percentage: 1 }], healthGate }), 'healthGate');
    expectInvalid(
      await put({ steps: [{ percentage: 0.05, durationMinutes: 5 }, { percentage: 1 }] }),
      'steps.0.percentage',
    );
    expectError(await rollout.app.app.api.get(`${rollout.path}/rollout-plan`), 404, 'rollout_plan_not_found');
  });

  it('starts when users get the release, and not before or after that', async () => {
    const draft = await newApp({ destination: { androidReleaseStatus: 'draft' } });
    const made = new Rollout(draft, (await draft.release(2)).id);
    await made.put();
    expect(expectError(await made.act('start'), 409, 'release_state').message).toContain('Play Console');
    const all = await newApp();
    const whole = new Rollout(all, (await all.release(2)).id);
    await whole.put();
    expectError(await whole.act('start'), 409, 'release_state');
    const none = await newApp();
    playSite.play.refuse('account issues', { packageName: none.packageName });
    const failed = new Rollout(none, (await none.release(2, { rolloutPercentage: 0.1 })).id);
    await failed.put();
    expectError(await failed.act('start'), 409, 'release_state');
  });

  it('needs the right to change releases', async () => {
    const rollout = await staged();
    await rollout.put();
    const permissions = ['deployments:read', 'deployments:write'];
    const { api } = await createToken(rollout.app.app.api, { permissions });
    for (const action of ['start', 'resume', 'abort'])
      expectError(await api.post(`${rollout.path}/rollout-plan/${action}`), 403);
  });
});

describe('a store that does not take a share', () => {
  it('holds the plan with its sentence, and is asked again when the plan is resumed', async () => {
    const rollout = await staged();
    await rollout.put({}, 'start');
    playSite.play.refuse('account issues', { packageName: rollout.app.packageName });
    await rollout.passStep();
    const held = await rollout.becomes({ state: 'held', reason: 'store', stepIndex: 1, stepEndsAt: null });
    expect(held.storeMessage).toContain('Play Console');
    expect(await rollout.share()).toBe(0.1);
    expect((await rollout.act('resume')).body).toMatchObject({
      state: 'running',
      reason: null,
      storeMessage: null,
      stepStartedAt: null,
    });
    await rollout.becomes({ state: 'running', stepIndex: 1, stepEndsAt: expect.any(String) as string });
    expect(await rollout.share()).toBe(0.5);
  });

  it('holds the plan when its key was deleted', async () => {
    const rollout = await staged();
    await rollout.put({}, 'start');
    playSite.play.accounts.revoke(rollout.app.key.email);
    await rollout.passStep();
    await rollout.becomes({ state: 'held', reason: 'store' });
  });

  it('holds the plan when the job of the change is canceled', async () => {
    const rollout = await staged();
    await rollout.put({}, 'start');
    const hold = playSite.play.hold('insert', 'before', { packageName: rollout.app.packageName });
    await rollout.passStep();
    await hold.arrived;
    const { openAction } = (await rollout.deployment()).submission;
    const canceled = await rollout.app.app.api.patch(`/v1/jobs/${openAction?.jobId}`, { status: 'canceled' });
    hold.release();
    expect(canceled.status).toBe(200);
    await rollout.becomes({ state: 'held', reason: 'store', storeMessage: expect.any(String) as string });
    await rollout.settled();
    expect(await rollout.share()).toBe(0.1);
  });
});

describe('a plan ends', () => {
  it('when it is aborted, and Google halts the release', async () => {
    const rollout = await staged();
    await rollout.put({}, 'start');
    expect((await rollout.act('abort')).body).toMatchObject({ state: 'aborted', reason: 'person' });
    const { submission } = await rollout.settled();
    expect(submission.release).toMatchObject({ status: 'halted' });
    expect(rollout.history.at(-1)).toContain('2 halted');
  });

  it('when a person changes the share', async () => {
    const rollout = await staged();
    await rollout.put({}, 'start');
    const { status } = await rollout.app.app.api.patch(rollout.path, { rolloutPercentage: 0.3 });
    expect(status).toBe(200);
    expect(await rollout.plan()).toMatchObject({ state: 'aborted', reason: 'share-changed' });
    expect((await rollout.settled()).rolloutPercentage).toBe(0.3);
  });

  it('when a person halts the release in the Play Console, which no step resumes', async () => {
    const rollout = await staged();
    await rollout.put({}, 'start');
    const halted = { status: 'halted', userFraction: 0.1, versionCodes: ['2'] } as const;
    const older = { status: 'completed', versionCodes: ['1'] } as const;
    playSite.play.setTrack(rollout.app.packageName, 'production', [halted, older]);
    await rollout.passStep();
    await rollout.becomes({ state: 'aborted', reason: 'share-changed' });
    const { submission } = await rollout.settled();
    expect(submission.release).toMatchObject({ status: 'halted' });
    expect(rollout.history.at(-1)).toContain('2 halted 0.1');
    expect((await rollout.app.setShare(rollout.id, 0.5)).submission.release?.status).toBe('rolling_out');
  });

  it('when the destination gets a newer release', async () => {
    const rollout = await staged();
    await rollout.put({}, 'start');
    const { id } = await rollout.app.release(3, { rolloutPercentage: 0.2 });
    expect(await rollout.plan()).toMatchObject({ state: 'aborted', reason: 'superseded' });
    await rollout.put();
    expectError(await rollout.act('start'), 409, 'deployment_superseded');
    const newer = new Rollout(rollout.app, id);
    expect(await newer.put({ steps: [{ percentage: 1 }] }, 'start')).toMatchObject({ stepIndex: 0 });
    await newer.becomes({ state: 'completed' });
  });

  it('with its destination', async () => {
    const rollout = await staged();
    await rollout.put({}, 'start');
    const { api, path } = rollout.app.app;
    expect((await api.delete(`${path}/destinations/${rollout.app.destinationId}`)).status).toBe(204);
    expectError(await api.get(`${rollout.path}/rollout-plan`), 404, 'deployment_not_found');
    const left = `SELECT id FROM rollout_plans WHERE deployment_id = $1`;
    expect(await playSite.site.query(left, [rollout.id])).toEqual([]);
  });
});

it('a frozen destination starts no plan, and a due step waits for the end', async () => {
  const rollout = await staged();
  await rollout.put({}, 'start');
  const { api, path } = rollout.app.app;
  const destination = `${path}/destinations/${rollout.app.destinationId}`;
  const window = { from: Date.now() - 60_000, to: Date.now() + 3_600_000, reason: 'Holidays' };
  expect((await api.patch(destination, { freezeWindows: [window] })).status).toBe(200);
  await rollout.passStep();
  await rollout.becomes({ state: 'running', stepIndex: 0, frozenUntil: new Date(window.to).toISOString() });
  expect((await api.patch(destination, { freezeWindows: [] })).status).toBe(200);
  await rollout.passStep();
  await rollout.becomes({ stepIndex: 1, frozenUntil: null, stepEndsAt: expect.any(String) as string });

  const other = await staged();
  await other.put();
  const theirs = `${other.app.app.path}/destinations/${other.app.destinationId}`;
  await other.app.app.api.patch(theirs, { freezeWindows: [window] });
  expectError(await other.act('start'), 409, 'destination_frozen');
});
