import { createApp, type TestApp } from '../../builders/app.js';
import { createDestination } from '../../builders/destination.js';
import { createAppleKey, createGoogleKey } from '../../builders/store-key.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { auditEvents } from '../../support/organizations/audit-log.js';
import {
  createReleaseBuild,
  endSubmission,
  type StoreDeployment,
} from '../../support/stores/store-builds.js';

let app: TestApp;
beforeAll(async () => {
  app = await createApp();
});

const post = (body: object, of = app) => of.api.post(`${of.path}/destinations`, body);
const patch = (id: string, body: object) => app.api.patch(`${app.path}/destinations/${id}`, body);
const shownOf = async (id: string): Promise<Record<string, unknown>> =>
  (await app.api.get(`${app.path}/destinations/${id}`)).body as Record<string, unknown>;

it('is created with the defaults of its platform', async () => {
  const created = expectCreated<{ id: string }>(await post({ name: 'Play Store', platform: 'android' }));
  const { userId } = app.tenant.owner;
  expect(created).toEqual({
    id: expect.any(String) as string,
    appId: app.id,
    name: 'Play Store',
    nameLower: 'play store',
    platform: 'android',
    type: 'google-play',
    defaultLanguage: null,
    androidPackageName: null,
    androidBuildArtifactType: 'aab',
    androidReleaseStatus: 'draft',
    googlePlayTrack: null,
    appGoogleServiceAccountKeyId: null,
    appleTeamId: null,
    appleId: null,
    appleAppId: null,
    appleAppPassword: null,
    appAppleApiKeyId: null,
    appleApiKeyId: null,
    appleIssuerId: null,
    appleBetaGroups: [],
    appleSubmitForReview: false,
    appleRejectIfPossible: false,
    appleReleaseType: null,
    applePhasedRelease: false,
    appleUsesNonExemptEncryption: null,
    firebaseAppId: null,
    firebaseTesterGroups: [],
    huaweiAppId: null,
    huaweiClientId: null,
    huaweiClientSecret: null,
    requiredApprovals: 0,
    freezeWindows: [],
    allowedRefs: [],
    createdAt: expect.any(String) as string,
    createdBy: userId,
    updatedAt: expect.any(String) as string,
    updatedBy: userId,
  });
  expect(await shownOf(created.id)).toEqual(created);
  const ios = expectCreated(await post({ name: 'Play Store', platform: 'ios' }));
  expect(ios).toMatchObject({
    type: 'apple-app-store-connect',
    androidBuildArtifactType: null,
    androidReleaseStatus: null,
  });
});

it('keeps every field, clears with null, and leaves absent fields', async () => {
  const fields = {
    defaultLanguage: 'zh-Hans-CN',
    androidPackageName: 'com.example.shop_2',
    androidBuildArtifactType: 'apk',
    androidReleaseStatus: 'completed',
    googlePlayTrack: 'Beta testers: Köln & Zürich/2',
    appGoogleServiceAccountKeyId: await createGoogleKey(app),
    appleTeamId: 'AB12CD34EF',
    appleId: 'ada@example.com',
    appleAppId: '1234567890',
    appAppleApiKeyId: await createAppleKey(app),
    appleApiKeyId: '2X9R4HXF34',
    appleIssuerId: '57246542-96fe-1a63-e053-0824d011072a',
    appleBetaGroups: ['Team', 'Bêta 👩‍🚀'],
    appleSubmitForReview: true,
    appleRejectIfPossible: true,
    appleReleaseType: 'scheduled',
    applePhasedRelease: true,
    firebaseAppId: '1:1234567890:android:0a1b2c3d4e5f',
    firebaseTesterGroups: ['qa-team'],
    huaweiAppId: '100000001',
    huaweiClientId: '1234567890123456789',
    requiredApprovals: 2,
    freezeWindows: [{ from: '2026-12-24T00:00:00.000Z', to: '2026-12-27T00:00:00.000Z', reason: 'Holidays' }],
  };
  const { id } = await createDestination(app, { name: 'All fields', ...fields });
  expect(await shownOf(id)).toMatchObject(fields);
  expect((await patch(id, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', ...fields });
  const cleared = Object.fromEntries(Object.keys(fields).map((field) => [field, null]));
  expect((await patch(id, cleared)).body).toMatchObject({
    ...cleared,
    androidBuildArtifactType: 'aab',
    androidReleaseStatus: 'draft',
    appleBetaGroups: [],
    appleSubmitForReview: false,
    appleRejectIfPossible: false,
    applePhasedRelease: false,
    firebaseTesterGroups: [],
    requiredApprovals: 0,
    freezeWindows: [],
  });
});

it('shows its secrets nowhere', async () => {
  const secrets = { appleAppPassword: 'abcd-efgh-ijkl-mnop', huaweiClientSecret: 'S3cret of Huawei' };
  const created = await post({ name: 'Secrets', platform: 'android', ...secrets });
  const { id } = expectCreated<{ id: string }>(created);
  const row = async () => {
    const text =
      'SELECT sealed_apple_app_password AS apple, sealed_huawei_client_secret AS huawei FROM destinations WHERE id = $1';
    const [found] = await query<{ apple: string; huawei: string }>(testEnvironment().databaseUrl, text, [id]);
    return found;
  };
  const before = await row();
  expect(before).toEqual({ apple: expect.stringMatching(/^v1\./), huawei: expect.stringMatching(/^v1\./) });
  const unchanged = await patch(id, { googlePlayTrack: 'beta' });
  expect(await row()).toEqual(before);
  const changed = await patch(id, { appleAppPassword: null, huaweiClientSecret: 'Another s3cret' });
  const after = await row();
  expect(after).toEqual({ apple: null, huawei: expect.stringMatching(/^v1\./) });
  expect(after?.huawei).not.toBe(before?.huawei);
  const list = await app.api.get(`${app.path}/destinations?query=Secrets`);
  const events = await auditEvents(app.tenant, `objectId=${id}`);
  const updated = events.find(
    ({ action, after: values }) => action === 'updated' && 'huaweiClientSecret' in (values ?? {}),
  );
  expect(updated).toMatchObject({ after: { appleAppPassword: null, huaweiClientSecret: '***' } });
  for (const shown of [created.body, unchanged.body, changed.body, list.body, events] as unknown[]) {
    expect(JSON.stringify(shown)).not.toMatch(/v1\.|abcd-efgh|s3cret/i);
  }
});

it('has a store that takes builds of its platform, for ever', async () => {
  const firebase = { type: 'firebase-app-distribution' };
  for (const platform of ['android', 'ios']) {
    expectCreated(await post({ name: 'Firebase', platform, ...firebase }));
  }
  expectCreated(await post({ name: 'Huawei', platform: 'android', type: 'huawei-appgallery' }));
  for (const [platform, type] of [
    ['android', 'apple-app-store-connect'],
    ['ios', 'google-play'],
    ['ios', 'huawei-appgallery'],
  ]) {
    expectInvalid(await post({ name: 'Wrong store', platform, type }), 'type');
  }
  const { id, platform, type } = await createDestination(app, { name: 'Fixed' });
  expect((await patch(id, { platform, type })).status).toBe(200);
  expectInvalid(await patch(id, { type: 'firebase-app-distribution' }), 'type');
  expectInvalid(await patch(id, { platform: 'ios' }), 'platform');
});

it.each([
  [
    'androidPackageName',
    ['shop', '1com.example', 'com..example', 'com.example.', 'com.exa-mple.app', `a.${'b'.repeat(260)}`],
  ],
  ['googlePlayTrack', ['', ' ', '.', '..', 'a\nb', 'x'.repeat(129)]],
  ['defaultLanguage', ['', 'e', 'english', 'en_US', 'en-US-', 'en-US-a-b-c-d']],
  ['appleAppId', ['', 'com.example.app', '12345678901234567890123']],
  ['appleApiKeyId', ['', '2x9r4hxf34', 'SHORT', 'AuthKey_2X9R4HXF34.p8']],
  [
    'appleBetaGroups',
    ['Team', [''], [5], [null], ['x'.repeat(101)], Array.from({ length: 21 }, (_, n) => `${n}`)],
  ],
  ['firebaseAppId', ['1:2:web:ab', 'com.example.app']],
  ['firebaseTesterGroups', [['QA Team'], { a: 1 }]],
  ['appleAppPassword', ['', 5, 'x'.repeat(257)]],
])('refuses a wrong %s with one sentence', async (field, values) => {
  for (const value of values) {
    expectInvalid(await post({ name: 'Wrong', platform: 'android', [field]: value }), field);
  }
});

describe('a name', () => {
  it('is unique for the platform, also for requests at once', async () => {
    const body = { name: 'At once', platform: 'android' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expectError(await post({ ...body, name: 'AT ONCE' }), 409, 'destination_name_taken');
    expectCreated(await post({ ...body, platform: 'ios' }));
    const { id } = await createDestination(app, { name: 'Another' });
    expectError(await patch(id, { name: 'at once' }), 409, 'destination_name_taken');
  });

  it('finds and deletes one; of both platforms it needs the platform', async () => {
    const of = await createApp();
    for (const platform of ['android', 'ios']) expectCreated(await post({ name: 'Store', platform }, of));
    const list = async (search: string): Promise<unknown[]> =>
      (await of.api.get(`${of.path}/destinations?${search}`)).body as unknown[];
    expect(await list('name=STORE')).toHaveLength(2);
    expect(await list('name=store&platform=ios')).toMatchObject([{ platform: 'ios' }]);
    expect(await list('query=tor&limit=1')).toHaveLength(1);
    expect(await list('query=nothing')).toEqual([]);
    expectInvalid(await of.api.get(`${of.path}/destinations?platform=web`), 'platform');
    const remove = (search: string) => of.api.delete(`${of.path}/destinations?${search}`);
    expectInvalid(await remove('name=store'), 'name');
    expectInvalid(await remove(''), 'name');
    expect((await remove('name=STORE&platform=ios')).status).toBe(204);
    expect((await remove('name=Store')).status).toBe(204);
    expectError(await remove('name=Store'), 404, 'destination_not_found');
  });
});

describe('a destination with an open submission', () => {
  const submit = (appBuildId: string, appDestinationId: string) =>
    app.api.post(`${app.path}/deployments`, { appBuildId, appDestinationId });
  const remove = (id: string) => app.api.delete(`${app.path}/destinations/${id}`);

  it('can be deleted after its end, with its deployments', async () => {
    const { id, name } = await createDestination(app);
    const deployment = expectCreated<StoreDeployment>(await submit(await createReleaseBuild(app), id));
    expectError(await remove(id), 409, 'destination_in_use');
    const byName = await app.api.delete(`${app.path}/destinations?name=${name}`);
    expectError(byName, 409, 'destination_in_use');
    await endSubmission(deployment, 'failed');
    expect((await remove(id)).status).toBe(204);
    const { status } = await app.api.get(`${app.path}/deployments/${deployment.id}`);
    expect(status).toBe(404);
  });

  it('is not deleted while a submission begins: one of the two wins', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await createDestination(app);
      const build = await createReleaseBuild(app);
      const [submitted, removed] = await Promise.all([submit(build, id), remove(id)]);
      expect([
        [201, 409],
        [404, 204],
        [409, 204],
      ]).toContainEqual([submitted.status, removed.status]);
    }
  });
});

it('of another organization does not exist', async () => {
  const stranger = await createApp();
  const { id } = await createDestination(app);
  const path = `${stranger.path}/destinations/${id}`;
  const answers = [
    await stranger.api.get(path),
    await stranger.api.patch(path, { name: 'Mine' }),
    await stranger.api.delete(path),
  ];
  for (const answer of answers) expectError(answer, 404, 'destination_not_found');
  const key = await createGoogleKey(app);
  expectError(
    await post({ name: 'Mine', platform: 'android', appGoogleServiceAccountKeyId: key }, stranger),
    404,
    'store_key_not_found',
  );
});
