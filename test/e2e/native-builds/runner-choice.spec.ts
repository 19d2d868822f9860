import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { type Claimed, createRunner, type TestRunner } from '../../builders/runner.js';
import { expectInvalid } from '../../support/http/expect-error.js';
import { startBuild, type TestBuild } from '../../support/native-builds/leases.js';
import { uploadSource } from '../../support/native-builds/sources.js';

let app: TestApp;
let source: string;
beforeEach(async () => {
  app = await createApp(await createTenant());
  source = await uploadSource(app);
});

const android = { platforms: ['android'] };
const start = (values: object = {}): Promise<TestBuild> =>
  startBuild(app, { platform: 'android', appBuildSourceId: source, ...values });
const setLabels = async (...runnerLabels: string[]): Promise<void> => {
  const { status, body } = await app.api.patch(app.path, { runnerLabels });
  expect([status, body]).toMatchObject([200, { runnerLabels }]);
};
const labelsOf = async ({ jobId }: TestBuild): Promise<unknown> =>
  ((await app.api.get(`/v1/jobs/${jobId}`)).body as { labels: unknown }).labels;
const jobIn = ({ body }: Awaited<ReturnType<TestRunner['claim']>>): string => (body as Claimed).job.id;

describe('the labels of an app', () => {
  it('choose the runners of its builds', async () => {
    await setLabels('gpu', 'large');
    const plain = await createRunner(app.tenant, { labels: ['gpu'] }, android);
    const able = await createRunner(app.tenant, { labels: ['large'] }, { ...android, labels: ['gpu'] });
    const build = await start();
    expect(await labelsOf(build)).toEqual(['gpu', 'large']);
    // It waits for a job of an app that needs no labels, while the other one gets this.
    const waiting = plain.claim();
    expect(jobIn(await able.claim())).toBe(build.jobId);
    await setLabels();
    const next = await start();
    expect(await labelsOf(next)).toEqual([]);
    expect(jobIn(await waiting)).toBe(next.jobId);
  });

  it('count when a build is started, not later', async () => {
    await setLabels('gpu');
    const build = await start();
    await setLabels('large');
    expect(await labelsOf(build)).toEqual(['gpu']);
  });

  it('are those of runners, each once', async () => {
    const { body } = await app.api.patch(app.path, { runnerLabels: ['a', 'B.c_d:e-1', 'a'] });
    expect(body).toMatchObject({ runnerLabels: ['a', 'B.c_d:e-1'] });
    for (const runnerLabels of [
      null,
      'gpu',
      [''],
      ['a b'],
      [5],
      ['-a'],
      [null],
      ['x'.repeat(64)],
      ['$(id)'],
    ]) {
      expectInvalid(await app.api.patch(app.path, { runnerLabels }), 'runnerLabels');
    }
    const many = Array.from({ length: 17 }, (_, n) => `label${n}`);
    expectInvalid(await app.api.patch(app.path, { runnerLabels: many }), 'runnerLabels');
    await setLabels(...many.slice(1));
    const { organizationId, owner } = app.tenant;
    const created = await owner.api.post('/v1/apps', { name: 'Shop', organizationId, runnerLabels: ['gpu'] });
    expect(created.body).toMatchObject({ runnerLabels: ['gpu'] });
  });
});

describe('the stack of an Android build', () => {
  it('is a hint, and can be any', async () => {
    const runner = await createRunner(app.tenant, {}, { ...android, stacks: ['linux'] });
    for (const stack of ['a', '0-unknown-stack', 'x'.repeat(50), 'macos-tahoe']) {
      const build = await start({ stack });
      expect(jobIn(await runner.claim())).toBe(build.jobId);
      expect((await app.api.get(`/v1/jobs/${build.jobId}`)).body).toMatchObject({ stack });
    }
  });

  it.each(['', 'x'.repeat(51), 'Linux', 'a b', 'a_b', 'a\n', 5, ['a']])('cannot be %j', async (stack) => {
    const body = { platform: 'android', appBuildSourceId: source, stack };
    expectInvalid(await app.api.post(`${app.path}/builds`, body), 'stack');
  });
});
