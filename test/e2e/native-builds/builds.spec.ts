import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createNativeBuild } from '../../builders/build.js';
import { createBundle, registerBundle } from '../../builders/bundle.js';
import { uploadBundle } from '../../builders/publication.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

interface Build {
  readonly id: string;
  readonly numberAsString: string;
}

describe('builds', () => {
  let app: TestApp;
  let path: string;

  beforeAll(async () => {
    app = await createApp();
    path = `${app.path}/builds`;
  });

  it('show all fields', async () => {
    const own = await createApp();
    const { id, buildId } = await registerBundle(own, {
      gitRef: 'main',
      gitCommitMessage: 'Fix',
      gitCommitRef: 'main',
      gitCommitSha: 'abc123',
      customProperties: { theme: 'dark' },
      minAndroidAppVersionCode: '10',
      eqElectronAppVersionCode: '1.2.3',
    });
    const { body } = await own.api.get(`${own.path}/builds/${buildId}`);
    expect(body).toEqual({
      id: buildId,
      appId: own.id,
      numberAsString: '1',
      platform: 'web',
      type: null,
      jobId: null,
      appBuildArtifactId: id,
      appCertificateId: null,
      appConfigurationId: null,
      appEnvironmentId: null,
      appBuildSourceId: null,
      appAutomationId: null,
      channelDeployments: [],
      destinationDeployments: [],
      warnings: [],
      releaseNotes: null,
      createdBy: null,
      gitRef: 'main',
      gitCommitMessage: 'Fix',
      gitCommitRef: 'main',
      gitCommitSha: 'abc123',
      displayName: null,
      packageName: null,
      packageVersion: null,
      storeBuildNumber: null,
      customProperties: { theme: 'dark' },
      minAndroidAppVersionCode: '10',
      maxAndroidAppVersionCode: null,
      eqAndroidAppVersionCode: null,
      minIosAppVersionCode: null,
      maxIosAppVersionCode: null,
      eqIosAppVersionCode: null,
      minElectronAppVersionCode: null,
      maxElectronAppVersionCode: null,
      eqElectronAppVersionCode: '1.2.3',
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
  });

  it('are listed newest first, and filtered', async () => {
    const own = await createApp();
    const web = await registerBundle(own, { gitRef: 'main', gitCommitSha: 'abc123' });
    await own.api.patch(own.path, { nextAppBuildNumber: 12 });
    await registerBundle(own, { gitRef: 'v2' });
    await createNativeBuild(own, 'ios', 2);
    const list = async (search: string): Promise<Build[]> =>
      (await own.api.get(`${own.path}/builds${search}`)).body as Build[];
    const numbers = async (search: string): Promise<string[]> =>
      (await list(search)).map(({ numberAsString }) => numberAsString);
    expect(await numbers('')).toEqual(['2', '12', '1']);
    expect(await numbers('?platform=web')).toEqual(['12', '1']);
    expect(await numbers('?platform=ios')).toEqual(['2']);
    expect(await numbers('?platform=android')).toEqual([]);
    expect(await numbers('?platform=')).toHaveLength(3);
    expect(await numbers('?numberAsString=1')).toEqual(['1']);
    expect(await numbers('?numberAsString=12&platform=web')).toEqual(['12']);
    for (const none of ['3', 'one', '-1', '1.0', '99999999999', '0']) {
      expect(await numbers(`?numberAsString=${none}`)).toEqual([]);
    }
    expect(await numbers('?appGitCommit=main')).toEqual(['1']);
    expect(await numbers('?appGitCommit=abc123&numberAsString=1')).toEqual(['1']);
    expect(await numbers('?query=12')).toContain('12');
    expect(await numbers(`?query=${web.buildId}`)).toEqual(['1']);
    expect(await numbers(`?query=${web.buildId}&appGitCommit=v2`)).toEqual([]);
    expect(await numbers(`?appAutomationId=${uuid()}`)).toEqual([]);
    expectInvalid(await own.api.get(`${own.path}/builds?platform=windows`), 'platform');
  });

  it('come with their artifacts and jobs when they are asked for', async () => {
    const { id, buildId } = await uploadBundle(app);
    expect((await app.api.get(`${path}/${buildId}`)).body).not.toHaveProperty('appBuildArtifacts');
    for (const url of [`${path}/${buildId}`, path]) {
      const { body } = await app.api.get(`${url}?relations=job,job.jobLogs,appBuildArtifacts`);
      const shown = Array.isArray(body)
        ? (body as Build[]).find((build) => build.id === buildId)
        : (body as Build);
      expect(shown).toMatchObject({
        jobId: null,
        job: { id: buildId, status: 'succeeded' },
        appBuildArtifacts: [{ id, appBuildId: buildId, type: 'zip', status: 'ready' }],
      });
    }
  });

  describe('update', () => {
    const constraints = ['Android', 'Ios', 'Electron'].flatMap((platform) =>
      ['min', 'max', 'eq'].map((kind) => `${kind}${platform}AppVersionCode`),
    );
    let url: string;

    beforeEach(async () => {
      url = `${path}/${(await registerBundle(app)).buildId}`;
    });

    it('changes what is given, keeps what is absent and clears by null', async () => {
      const values = {
        displayName: 'Spring',
        packageName: 'com.example.shop',
        packageVersion: '1.2.3',
        customProperties: { theme: 'dark', empty: '' },
        ...Object.fromEntries(constraints.map((name, index) => [name, `1.0.${index}`])),
      };
      expect((await app.api.patch(url, values)).body).toMatchObject(values);
      expect((await app.api.patch(url, { displayName: 'Summer' })).body).toMatchObject({
        ...values,
        displayName: 'Summer',
      });
      const cleared = Object.fromEntries(Object.keys(values).map((name) => [name, null]));
      expect((await app.api.patch(url, cleared)).body).toMatchObject(cleared);
    });

    it.each(['10', '1.0.5', '2147483648', '0'])('takes %s for a version', async (version) => {
      for (const kind of ['min', 'max', 'eq']) {
        const names = constraints.filter((name) => name.startsWith(kind));
        const values = Object.fromEntries(names.map((name) => [name, version]));
        const others = constraints.filter((name) => !names.includes(name)).map((name) => [name, null]);
        const body = { ...values, ...Object.fromEntries(others) };
        expect((await app.api.patch(url, body)).body).toMatchObject(body);
      }
    });

    it('takes a semantic version on Electron only', async () => {
      const values = Object.fromEntries(constraints.map((name) => [name, '1.2.3-beta.1+5']));
      expectInvalid(
        await app.api.patch(url, values),
        ...constraints.filter((name) => !name.includes('Electron')),
      );
      const electron = { minElectronAppVersionCode: '1.2.3-beta.1+5', maxElectronAppVersionCode: '1.2.3' };
      expect((await app.api.patch(url, electron)).body).toMatchObject(electron);
    });

    it('refuses constraints that leave no version, together with those that are stored', async () => {
      await app.api.patch(url, { minAndroidAppVersionCode: '10', maxAndroidAppVersionCode: '20' });
      const refused = await app.api.patch(url, { maxAndroidAppVersionCode: '9' });
      expectInvalid(refused, 'maxAndroidAppVersionCode');
      expect(refused.body).toMatchObject({
        message: 'No version is between minAndroidAppVersionCode (10) and maxAndroidAppVersionCode (9).',
      });
      const only = { maxAndroidAppVersionCode: '10', eqAndroidAppVersionCode: '10' };
      expectInvalid(await app.api.patch(url, only), 'maxAndroidAppVersionCode');
      expect((await app.api.get(url)).body).toMatchObject({
        minAndroidAppVersionCode: '10',
        maxAndroidAppVersionCode: '20',
        eqAndroidAppVersionCode: null,
      });
      const cleared = { minAndroidAppVersionCode: null, maxAndroidAppVersionCode: '9' };
      expect((await app.api.patch(url, cleared)).body).toMatchObject(cleared);
    });

    it('lets one of two changes win that leave no version together', async () => {
      const responses = await Promise.all([
        app.api.patch(url, { minIosAppVersionCode: '2' }),
        app.api.patch(url, { maxIosAppVersionCode: '1' }),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    });

    it('refuses a bundle with constraints that leave no version', async () => {
      const own = await createApp();
      const body = { artifactType: 'zip', minIosAppVersionCode: '2', maxIosAppVersionCode: '1.9' };
      expectInvalid(await own.api.post(`${own.path}/bundles`, body), 'minIosAppVersionCode');
      expect((await own.api.get(`${own.path}/builds`)).body).toEqual([]);
      const bundle = await createBundle(own, { minIosAppVersionCode: '2' });
      expectInvalid(await own.api.patch(bundle.path, { maxIosAppVersionCode: '1' }), 'maxIosAppVersionCode');
    });

    it.each([
      '-1',
      'one two',
      '1,0',
      'x'.repeat(129),
      '1'.repeat(129),
      '.',
      '1..2',
      '1.2.',
      'abc',
      10,
      true,
      ['1'],
    ])('refuses %j for a version', async (version) => {
      const values = Object.fromEntries(constraints.map((name) => [name, version]));
      expectInvalid(await app.api.patch(url, values), ...constraints);
    });

    it('takes ten properties of a hundred characters and no more', async () => {
      const properties = (count: number, length: number): Record<string, string> =>
        Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`k${index}`, 'x'.repeat(length - 3)]),
        );
      const most = properties(10, 100);
      expect((await app.api.patch(url, { customProperties: most })).body).toMatchObject({
        customProperties: most,
      });
      for (const customProperties of [
        properties(11, 10),
        properties(1, 101),
        { a: 5 },
        { a: null },
        [],
        'a=b',
      ]) {
        expectInvalid(await app.api.patch(url, { customProperties }), 'customProperties');
      }
    });

    it('keeps its number, its platform and its job', async () => {
      const before = (await app.api.get(url)).body as Build;
      const { body } = await app.api.patch(url, { numberAsString: '99', platform: 'ios', jobId: uuid() });
      expect(body).toMatchObject({ numberAsString: before.numberAsString, platform: 'web', jobId: null });
    });
  });

  it('are not deleted here', async () => {
    const { buildId } = await createBundle(app);
    expectError(await app.api.request('delete', `${path}/${buildId}`), 405, 'method_not_allowed');
  });

  it('of native platforms have no main artifact', async () => {
    const own = await createApp();
    const id = await createNativeBuild(own, 'android', 1);
    expect((await own.api.get(`${own.path}/builds/${id}`)).body).toMatchObject({
      platform: 'android',
      type: 'debug',
      appBuildArtifactId: null,
    });
  });
});
