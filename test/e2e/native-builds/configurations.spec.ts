import { createApp, type TestApp } from '../../builders/app.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectInvalid } from '../../support/http/expect-error.js';
import { startBuild, takeJob } from '../../support/native-builds/leases.js';
import { uploadSource } from '../../support/native-builds/sources.js';
import { uniqueName } from '../../support/unique-name.js';

let app: TestApp;
let source: string;
beforeAll(async () => {
  app = await createApp();
  source = await uploadSource(app);
});

const post = (values: object) =>
  app.api.post(`${app.path}/configurations`, { name: uniqueName('configuration'), ...values });
const create = async (values: object): Promise<string> =>
  expectCreated<{ id: string }>(await post(values)).id;
const none = { displayName: null, packageName: null, versionName: null, buildNumber: null };

describe('a configuration', () => {
  it('has a version and a build number, which null clears', async () => {
    const id = await create({ versionName: '1.4.0-beta.2+5', buildNumber: 42 });
    const path = `${app.path}/configurations/${id}`;
    expect((await app.api.get(path)).body).toMatchObject({ versionName: '1.4.0-beta.2+5', buildNumber: 42 });
    expect((await app.api.patch(path, { buildNumber: 'ci' })).body).toMatchObject({
      versionName: '1.4.0-beta.2+5',
      buildNumber: 'ci',
    });
    const { body } = await app.api.patch(path, { versionName: null, buildNumber: null });
    expect(body).toMatchObject(none);
    expect((await app.api.get(path)).body).toEqual(body);
    for (const buildNumber of [1, 2_100_000_000]) {
      expect((await app.api.patch(path, { buildNumber })).body).toMatchObject({ buildNumber });
    }
  });

  it.each([0, -1, 1.5, 2_100_000_001, '42', 'CI', '', true, [1], {}])(
    'cannot have the build number %j',
    async (buildNumber) => {
      expectInvalid(await post({ buildNumber }), 'buildNumber');
    },
  );

  it.each([
    '',
    ' 1',
    '-1',
    '1 0',
    '1"',
    "1'",
    '1$(id)',
    '1`id`',
    '1\n',
    '1;',
    '<1>',
    '1/2',
    '1\\',
    'ü',
    'x'.repeat(51),
    5,
  ])('cannot have the version %j', async (versionName) => {
    expectInvalid(await post({ versionName }), 'versionName');
  });
});

describe('a build with a configuration', () => {
  const configurationOf = async (appConfigurationId?: string): Promise<unknown> => {
    const values = { platform: 'android', appBuildSourceId: source, appConfigurationId };
    const { jobId } = await startBuild(app, values);
    const { body } = await (await takeJob(jobId)).api.get('/v1/runner/job/payload');
    const { build, configuration } = body as { build: { numberAsString: string }; configuration: unknown };
    return { number: Number(build.numberAsString), configuration };
  };

  it('gets what it overwrites, and its own number for ci', async () => {
    const names = { displayName: `"Shop" <b> & 'more'`, packageName: 'com.example.shop' };
    const fixed = await create({ ...names, versionName: '2.0', buildNumber: 7 });
    expect(await configurationOf(fixed)).toMatchObject({
      configuration: { ...names, versionName: '2.0', buildNumber: 7 },
    });
    const ci = await create({ buildNumber: 'ci' });
    await app.api.patch(app.path, { nextAppBuildNumber: 5000 });
    expect(await configurationOf(ci)).toEqual({
      number: 5000,
      configuration: { ...none, buildNumber: 5000 },
    });
    expect(await configurationOf(ci)).toEqual({
      number: 5001,
      configuration: { ...none, buildNumber: 5001 },
    });
    expect(await configurationOf(await create({}))).toMatchObject({ configuration: none });
    expect(await configurationOf()).toMatchObject({ configuration: null });
  });
});
