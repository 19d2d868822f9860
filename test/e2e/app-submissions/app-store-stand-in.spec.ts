import {
  type AppStoreConnect,
  startAppStoreConnect,
} from '../../support/stores/app-store-connect/app-store-connect.js';
import { type ConnectResponse, errorOf } from '../../support/stores/app-store-connect/connect-caller.js';
import { REFUSALS } from '../../support/stores/app-store-connect/refusals.js';
import { STORE_REFUSALS } from '../../support/stores/app-store-connect/store-refusals.js';
import { addVersion } from '../../support/stores/app-store-connect/state/app-store/store-version.js';
import { addBuild, type Build } from '../../support/stores/app-store-connect/state/builds.js';
import type { AppleApp } from '../../support/stores/app-store-connect/state/connect-state.js';
import { StoreCaller } from '../../support/stores/app-store-connect/store-caller.js';

const BUNDLE_ID = 'com.example.app';
const LIVE = '1.0';

let connect: AppStoreConnect;
let caller: StoreCaller;
let app: AppleApp;

beforeAll(async () => {
  connect = await startAppStoreConnect();
  caller = new StoreCaller(connect, connect.addKey());
});
afterAll(() => connect.stop());
beforeEach(async () => {
  await connect.clear();
  app = connect.addApp({
    bundleId: BUNDLE_ID,
    storeLocales: ['en-US', 'de-DE'],
    versions: [{ versionString: LIVE }],
  });
});

/** A build that Apple has processed. */
const buildOf = (version: string, values: Partial<Build> = {}): Build =>
  addBuild(app, { version, buildNumber: '42', usesNonExemptEncryption: false, ...values });

/** Writes release notes for each language of a version. */
async function writeNotes(versionId: string): Promise<void> {
  const { data } = (await caller.call('GET', `/appStoreVersions/${versionId}/appStoreVersionLocalizations`))
    .body;
  for (const { id } of data)
    expect((await caller.update('appStoreVersionLocalizations', id, { whatsNew: 'Faster.' })).status).toBe(
      200,
    );
}

/** A version with a build and notes. @returns its id */
async function complete(version: string, attributes: object = {}): Promise<string> {
  const { id } = (await caller.createVersion(app.id, version, attributes)).body.data;
  expect((await caller.attachBuild(id, buildOf(version).id)).status).toBe(204);
  await writeNotes(id);
  return id;
}

/** @returns the id of the review submission */
async function sendToReview(versionId: string): Promise<string> {
  const { id } = (await caller.createReview(app.id)).body.data;
  expect((await caller.addItem(id, versionId)).status).toBe(201);
  expect((await caller.submit(id)).status).toBe(200);
  return id;
}

async function submissionState(id: string): Promise<unknown> {
  return (await caller.call('GET', `/reviewSubmissions/${id}`)).body.data.attributes['state'];
}

const detailOf = ({ body }: ConnectResponse): string | undefined => body.errors?.[0]?.detail;
const codesOf = ({ body }: ConnectResponse): (string | undefined)[] =>
  body.errors?.map(({ code }) => code) ?? [];

test('a version goes through review, waits for its release, and goes live once', async () => {
  const id = await complete('1.1', { releaseType: 'MANUAL' });
  const submission = await sendToReview(id);
  expect([await caller.stateOf(id), await submissionState(submission)]).toEqual([
    'WAITING_FOR_REVIEW',
    'WAITING_FOR_REVIEW',
  ]);
  expect(errorOf(await caller.release(id))[1]).toBe('STATE_ERROR.ENTITY_STATE_INVALID');
  connect.reviewVersion(BUNDLE_ID, '1.1', 'begin');
  expect(await caller.stateOf(id)).toBe('IN_REVIEW');
  connect.reviewVersion(BUNDLE_ID, '1.1', 'approve');
  expect([await caller.stateOf(id), await submissionState(submission)]).toEqual([
    'PENDING_DEVELOPER_RELEASE',
    'COMPLETE',
  ]);
  connect.review.liveReads = 1;
  expect((await caller.release(id)).status).toBe(201);
  expect((await caller.release(id)).status).toBe(409);
  expect([await caller.stateOf(id), await caller.stateOf(id)]).toEqual([
    'PROCESSING_FOR_DISTRIBUTION',
    'READY_FOR_DISTRIBUTION',
  ]);
  expect(connect.versionsOf(BUNDLE_ID)).toMatchObject([
    { versionString: LIVE, state: 'REPLACED_WITH_NEW_VERSION', releases: 0 },
    {
      versionString: '1.1',
      state: 'READY_FOR_DISTRIBUTION',
      buildNumber: '42',
      releases: 1,
      reviews: ['COMPLETE'],
      whatsNew: { 'en-US': 'Faster.', 'de-DE': 'Faster.' },
    },
  ]);
});

test('after approval it skips PENDING_DEVELOPER_RELEASE, and a scheduled one waits for its hour', async () => {
  const automatic = await complete('1.1', { releaseType: 'AFTER_APPROVAL' });
  await sendToReview(automatic);
  connect.reviewVersion(BUNDLE_ID, '1.1', 'approve');
  expect(await caller.stateOf(automatic)).toBe('READY_FOR_DISTRIBUTION');
  const hour = 3_600_000;
  const date = new Date((Math.floor(Date.now() / hour) + 5) * hour);
  const scheduled = await complete('1.2', {
    releaseType: 'SCHEDULED',
    earliestReleaseDate: date.toISOString(),
  });
  await sendToReview(scheduled);
  connect.reviewVersion(BUNDLE_ID, '1.2', 'approve');
  expect(await caller.stateOf(scheduled)).toBe('PENDING_DEVELOPER_RELEASE');
  connect.review.clockOffset = 6 * hour;
  expect(await caller.stateOf(scheduled)).toBe('READY_FOR_DISTRIBUTION');
  expect(app.releases.map(({ versionString }) => versionString)).toEqual(['1.1', '1.2']);
});

describe('versions', () => {
  test('one of a platform is open at a time, and a number is used once', async () => {
    expect(codesOf(await caller.createVersion(app.id, '1.0.0'))).toEqual([
      'ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE',
    ]);
    await caller.createVersion(app.id, '1.1');
    expect(codesOf(await caller.createVersion(app.id, '1.1'))).toEqual([
      'ENTITY_ERROR.RELATIONSHIP.INVALID',
      'ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE',
    ]);
    expect(errorOf(await caller.createVersion(app.id, '1.2'))).toEqual([
      409,
      'ENTITY_ERROR.RELATIONSHIP.INVALID',
      '/data/relationships/app',
    ]);
    expect((await caller.createVersion(app.id, '1.1', { platform: 'MAC_OS' })).status).toBe(201);
  });

  test('are listed for all platforms unless one is named, and not sorted', async () => {
    addVersion(app, { versionString: '2.0', platform: 'MAC_OS', state: 'PREPARE_FOR_SUBMISSION' });
    const path = `/apps/${app.id}/appStoreVersions`;
    const { data } = (await caller.call('GET', path)).body;
    expect(data.map(({ attributes }) => attributes['versionString'])).toEqual(['2.0', LIVE]);
    const ios = (await caller.call('GET', `${path}?filter[platform]=IOS&include=build`)).body.data;
    expect(ios).toMatchObject([{ relationships: { build: { data: null } } }]);
    for (const list of [path, `/reviewSubmissions?filter[app]=${app.id}`]) {
      const sorted = await caller.call('GET', `${list}${list.includes('?') ? '&' : '?'}sort=-createdDate`);
      expect(errorOf(sorted)).toEqual([400, 'PARAMETER_ERROR.ILLEGAL', 'sort']);
    }
    expect((await caller.call('GET', '/reviewSubmissions')).status).toBe(400);
  });

  test('are edited before their review only, and a moment after it was canceled', async () => {
    const id = await complete('1.1');
    expect((await caller.update('appStoreVersions', id, { versionString: '1.2' })).status).toBe(200);
    expect(connect.version(BUNDLE_ID, '1.2').build).toBeNull();
    await caller.attachBuild(id, buildOf('1.2').id);
    const submission = await sendToReview(id);
    const locked = [409, 'ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_STATE', '/data/attributes/releaseType'];
    const edit = (): Promise<ConnectResponse> =>
      caller.update('appStoreVersions', id, { releaseType: 'MANUAL' });
    expect(errorOf(await edit())).toEqual(locked);
    connect.review.lockedEdits = 1;
    await caller.cancel(submission);
    while ((await submissionState(submission)) !== 'COMPLETE');
    expect(await caller.stateOf(id)).toBe('DEVELOPER_REJECTED');
    expect(errorOf(await edit())).toEqual(locked);
    expect((await edit()).status).toBe(200);
  });

  test.each<[string, Partial<Build>]>([
    ['of another version', { version: '1.2' }],
    ['in process', { processingState: 'PROCESSING', pollsLeft: 9 }],
    ['that has expired', { isExpired: true }],
    ['whose export compliance is open', { usesNonExemptEncryption: null }],
    ['for another platform', { platform: 'TV_OS' }],
  ])('take no build %s', async (_, values) => {
    const { id } = (await caller.createVersion(app.id, '1.1')).body.data;
    const attached = await caller.attachBuild(id, buildOf('1.1', values).id);
    expect([...errorOf(attached), detailOf(attached)]).toEqual([
      409,
      'ENTITY_ERROR.RELATIONSHIP.INVALID',
      '/data/relationships/build',
      'The specified pre-release build could not be added.',
    ]);
  });

  test('take a build that was just processed a little later', async () => {
    connect.review.attachRefusals = 1;
    const { id } = (await caller.createVersion(app.id, '1.1')).body.data;
    const build = buildOf('1.1');
    expect((await caller.attachBuild(id, build.id)).status).toBe(409);
    expect((await caller.attachBuild(id, build.id)).status).toBe(204);
    const linked = await caller.call('GET', `/appStoreVersions/${id}/relationships/build`);
    expect(linked.body.data.id).toBe(build.id);
    expect((await caller.call('GET', `/builds/${build.id}/appStoreVersion`)).body.data.id).toBe(id);
  });

  test.each([
    ['at half an hour', { releaseType: 'SCHEDULED', earliestReleaseDate: '2099-01-01T08:30:00Z' }],
    ['in the past', { releaseType: 'SCHEDULED', earliestReleaseDate: '2020-01-01T08:00:00Z' }],
    ['without a date', { releaseType: 'SCHEDULED' }],
    [
      'with a date that is not scheduled',
      { releaseType: 'MANUAL', earliestReleaseDate: '2099-01-01T08:00:00Z' },
    ],
  ])('are not released %s', async (_, attributes) => {
    expect(errorOf(await caller.createVersion(app.id, '1.1', attributes))[2]).toBe(
      '/data/attributes/earliestReleaseDate',
    );
  });

  test('the first one has neither notes nor a phased release', async () => {
    app = connect.addApp({ bundleId: 'com.example.new' });
    const { id } = (await caller.createVersion(app.id, '1.0')).body.data;
    const path = `/appStoreVersions/${id}/appStoreVersionLocalizations`;
    const [first] = (await caller.call('GET', path)).body.data;
    const written = await caller.update('appStoreVersionLocalizations', first?.id ?? '', { whatsNew: 'Hi.' });
    expect(detailOf(written)).toContain('cannot be edited at this time');
    expect((await caller.createPhasedRelease(id)).status).toBe(409);
    await caller.attachBuild(id, buildOf('1.0').id);
    await sendToReview(id);
  });
});

describe('reviews', () => {
  test('one is in progress at a time; one that was never submitted is neither canceled nor deleted', async () => {
    const id = await complete('1.1');
    const { id: submission } = (await caller.createReview(app.id)).body.data;
    expect(detailOf(await caller.createReview(app.id))).toBe(
      `There is another reviewSubmissions with id ${submission} still in progress`,
    );
    expect((await caller.createReview(app.id, 'MAC_OS')).status).toBe(201);
    expect((await caller.cancel(submission)).status).toBe(409);
    expect((await caller.call('DELETE', `/reviewSubmissions/${submission}`)).status).toBe(404);
    expect(detailOf(await caller.submit(submission))).toContain('not ready to be submitted yet');
    const item = (await caller.addItem(submission, id)).body.data;
    expect(await caller.stateOf(id)).toBe('READY_FOR_REVIEW');
    expect(errorOf(await caller.addItem(submission, id))[1]).toBe(
      'ENTITY_ERROR.RELATIONSHIP.INVALID.NOT_ALLOWED',
    );
    // The build is frozen now.
    expect((await caller.attachBuild(id, buildOf('1.1', { buildNumber: '43' }).id)).status).toBe(409);
    const path = `/reviewSubmissions/${submission}/items`;
    const [bare] = (await caller.call('GET', path)).body.data;
    expect(bare?.relationships['appStoreVersion']?.data).toBeUndefined();
    const [listed] = (await caller.call('GET', `${path}?include=appStoreVersion`)).body.data;
    expect(listed?.relationships['appStoreVersion']?.data?.id).toBe(id);
    expect((await caller.call('DELETE', `/reviewSubmissionItems/${item.id}`)).status).toBe(204);
    expect(await caller.stateOf(id)).toBe('PREPARE_FOR_SUBMISSION');
  });

  test('everything that is missing is in the associated errors', async () => {
    const { id } = (await caller.createVersion(app.id, '1.1')).body.data;
    app.missing.add('privacy').add('category');
    const { id: submission } = (await caller.createReview(app.id)).body.data;
    const refused = await caller.addItem(submission, id);
    expect(errorOf(refused).slice(0, 2)).toEqual([409, 'STATE_ERROR.ENTITY_STATE_INVALID']);
    const [{ associatedErrors } = { associatedErrors: {} }] = (refused.body.errors ?? []).map(
      ({ meta }) => meta as { associatedErrors: Record<string, { code: string }[]> },
    );
    expect(
      Object.values(associatedErrors)
        .flat()
        .map(({ code }) => code),
    ).toEqual([
      'STATE_ERROR.APP_DATA_USAGES_REQUIRED',
      'ENTITY_ERROR.RELATIONSHIP.REQUIRED',
      'ENTITY_ERROR.RELATIONSHIP.REQUIRED',
      'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
      'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
    ]);
  });

  test('a rejected version stays in its submission until that was canceled, or its item resolved', async () => {
    const id = await complete('1.1');
    const submission = await sendToReview(id);
    connect.reviewVersion(BUNDLE_ID, '1.1', 'reject');
    expect([await caller.stateOf(id), await submissionState(submission)]).toEqual([
      'REJECTED',
      'UNRESOLVED_ISSUES',
    ]);
    expect((await caller.attachBuild(id, buildOf('1.1', { buildNumber: '43' }).id)).status).toBe(204);
    expect(detailOf(await caller.submit(submission))).toContain('not ready');
    const { id: next } = (await caller.createReview(app.id)).body.data;
    expect(errorOf(await caller.addItem(next, id))[1]).toBe('STATE_ERROR.ITEM_PART_OF_ANOTHER_SUBMISSION');
    const [item] = (await caller.call('GET', `/reviewSubmissions/${submission}/items`)).body.data;
    expect(detailOf(await caller.call('DELETE', `/reviewSubmissionItems/${item?.id}`))).toBe(
      'Item was already submitted',
    );
    connect.review.cancelReads = 2;
    expect((await caller.cancel(submission)).body.data.attributes['state']).toBe('CANCELING');
    expect([await submissionState(submission), await submissionState(submission)]).toEqual([
      'CANCELING',
      'CANCELING',
    ]);
    expect(errorOf(await caller.addItem(next, id))[1]).toBe('STATE_ERROR.ITEM_PART_OF_ANOTHER_SUBMISSION');
    expect(await submissionState(submission)).toBe('COMPLETE');
    expect((await caller.addItem(next, id)).status).toBe(201);
    expect((await caller.submit(next)).status).toBe(200);
    connect.reviewVersion(BUNDLE_ID, '1.1', 'reject-metadata');
    const [again] = (await caller.call('GET', `/reviewSubmissions/${next}/items`)).body.data;
    expect((await caller.update('reviewSubmissionItems', again?.id ?? '', { resolved: true })).status).toBe(
      200,
    );
    expect((await caller.submit(next)).status).toBe(200);
    expect(await caller.stateOf(id)).toBe('WAITING_FOR_REVIEW');
  });

  test('a cancellation can come too late', async () => {
    const id = await complete('1.1', { releaseType: 'MANUAL' });
    const submission = await sendToReview(id);
    connect.review.approvesCanceled = true;
    await caller.cancel(submission);
    while ((await submissionState(submission)) !== 'COMPLETE');
    expect(await caller.stateOf(id)).toBe('PENDING_DEVELOPER_RELEASE');
    expect(errorOf(await caller.cancel(submission))[1]).toBe('STATE_ERROR.ENTITY_STATE_INVALID');
  });

  test('a role below App Manager sends nothing to review', async () => {
    const developer = new StoreCaller(connect, connect.addKey({ role: 'DEVELOPER' }));
    expect((await developer.createVersion(app.id, '1.1')).status).toBe(403);
    expect((await developer.createReview(app.id)).status).toBe(403);
  });
});

test('a phased release goes on day by day, pauses, and completes', async () => {
  const id = await complete('1.1', { releaseType: 'AFTER_APPROVAL' });
  const { id: phased } = (await caller.createPhasedRelease(id)).body.data;
  const set = async (phasedReleaseState: string): Promise<unknown> => {
    const { status, body } = await caller.update('appStoreVersionPhasedReleases', phased, {
      phasedReleaseState,
    });
    return status === 200 ? status : body.errors?.[0]?.detail;
  };
  const read = async (): Promise<unknown[]> => {
    const { data } = (await caller.call('GET', `/appStoreVersions/${id}/appStoreVersionPhasedRelease`)).body;
    return [data.attributes['phasedReleaseState'], data.attributes['currentDayNumber']];
  };
  expect([await read(), await set('PAUSED')]).toEqual([
    ['INACTIVE', null],
    'A phased release that is INACTIVE can not become PAUSED.',
  ]);
  await sendToReview(id);
  connect.reviewVersion(BUNDLE_ID, '1.1', 'approve');
  expect(await read()).toEqual(['ACTIVE', 1]);
  connect.passDays(BUNDLE_ID, '1.1', 3);
  expect([await read(), await set('ACTIVE')]).toEqual([
    ['ACTIVE', 4],
    'The phased release already has this value',
  ]);
  expect(await set('PAUSED')).toBe(200);
  connect.passDays(BUNDLE_ID, '1.1', 29);
  expect(await read()).toEqual(['PAUSED', 4]);
  connect.passDays(BUNDLE_ID, '1.1');
  expect(await read()).toEqual(['ACTIVE', 4]);
  connect.passDays(BUNDLE_ID, '1.1', 4);
  expect([await read(), await set('PAUSED')]).toEqual([
    ['COMPLETE', 7],
    'The phased release is in its final state',
  ]);
});

test.each(Object.entries(STORE_REFUSALS))(
  'it refuses when it is asked to: %s',
  async (name, { calls, error }) => {
    connect.refuse(name as keyof typeof REFUSALS);
    const [call] = calls;
    const id = await complete('1.1').catch(() => null);
    const { id: submission } = (await caller.createReview(app.id)).body.data ?? {};
    if (submission !== undefined && id !== null) {
      await caller.addItem(submission, id);
      await caller.submit(submission);
      await caller.update('appStoreVersions', id, {});
      const { data } = (await caller.createPhasedRelease(id)).body;
      await caller.update('appStoreVersionPhasedReleases', data?.id ?? 'none', {});
      await caller.release(id);
    }
    expect(connect.callsOf(call ?? 'unknown').map(({ status }) => status)).toContain(error().status);
  },
);
