import { randomBytes } from 'node:crypto';
import { type IpaDescription, makeIpa } from '../../support/native-builds/ipa-writer.js';
import { sha256 } from '../../support/sha256.js';
import {
  type AppStoreConnect,
  startAppStoreConnect,
} from '../../support/stores/app-store-connect/app-store-connect.js';
import {
  ConnectCaller,
  type ConnectResponse,
  errorOf,
} from '../../support/stores/app-store-connect/connect-caller.js';
import { HOSTILE_OPERATIONS } from '../../support/stores/app-store-connect/delivery/hostile-operations.js';
import { UPLOAD_ERRORS } from '../../support/stores/app-store-connect/delivery/upload-errors.js';
import { addBuild, type Build } from '../../support/stores/app-store-connect/state/builds.js';
import type { AppleApp, NewAppleApp } from '../../support/stores/app-store-connect/state/connect-state.js';
import type { UploadOperation } from '../../support/stores/app-store-connect/state/uploads.js';

const BUNDLE_ID = 'com.example.app';

let connect: AppStoreConnect;
let caller: ConnectCaller;
let app: AppleApp;

beforeAll(async () => {
  connect = await startAppStoreConnect();
  caller = new ConnectCaller(connect, connect.addKey());
});
afterAll(() => connect.stop());

beforeEach(async () => {
  await connect.clear();
  connect.storage.partSize = 1000;
  const groups = { Team: 'internal', Public: 'external', All: 'all-builds' } as const;
  app = connect.addApp({ bundleId: BUNDLE_ID, groups });
});

const ipaOf = (values: IpaDescription = {}): Promise<Buffer> =>
  makeIpa({
    packageName: BUNDLE_ID,
    versionName: '1.4.0',
    versionCode: '42',
    profile: 'app-store',
    ...values,
  });

/** A build that Apple has processed. */
const build = (values: Partial<Build> = {}): Build =>
  addBuild(app, { version: '1.4.0', buildNumber: '42', usesNonExemptEncryption: false, ...values });

const submitForReview = ({ id }: Build): Promise<ConnectResponse> => caller.submitForReview(id);
const answerCompliance = ({ id }: Build, answer: boolean): Promise<ConnectResponse> =>
  caller.answerCompliance(id, answer);
const writeNote = ({ id }: Build, locale: string, text: string): Promise<ConnectResponse> =>
  caller.writeNote(id, locale, text);
const addToGroup = (name: string, { id }: Build): Promise<ConnectResponse> =>
  caller.addToGroup(app.groups.find((group) => group.name === name)?.id ?? '', id);

const statesOf = async ({ id }: Build): Promise<unknown[]> => {
  const { attributes } = (await caller.call('GET', `/builds/${id}/buildBetaDetail`)).body.data;
  return [attributes['internalBuildState'], attributes['externalBuildState']];
};

/** Announces an upload with its file. */
async function announce(
  bytes: Buffer,
): Promise<{ id: string; fileId: string; operations: readonly UploadOperation[] }> {
  const { id } = (await caller.createUpload(app.id, '1.4.0', '42')).body.data;
  const { id: fileId, attributes } = (await caller.createFile(id, bytes.length)).body.data;
  return { id, fileId, operations: attributes.uploadOperations };
}

/** Delivers a file. @returns the codes that Apple refuses it with */
async function codesFor(bytes: Buffer): Promise<string[]> {
  const { data } = (await caller.processed(await caller.deliver(app.id, '1.4.0', '42', bytes))).body;
  return data.attributes.state.errors.map(({ code }) => code);
}

test('an ipa becomes a build that goes to testers', async () => {
  const bytes = await ipaOf();
  const uploadId = await caller.deliver(app.id, '1.4.0', '42', bytes);
  const { body } = await caller.processed(uploadId);
  expect(body.data.attributes.state).toMatchObject({ state: 'COMPLETE', errors: [] });
  const [made] = app.builds;
  if (made === undefined) throw new Error('There is no build.');
  expect(body.data.relationships['build']?.data?.id).toBe(made.id);
  expect(body.included).toMatchObject([{ type: 'builds', id: made.id, attributes: { version: '42' } }]);
  expect(await statesOf(made)).toEqual(['MISSING_EXPORT_COMPLIANCE', 'MISSING_EXPORT_COMPLIANCE']);
  expect((await answerCompliance(made, false)).status).toBe(200);
  expect(await statesOf(made)).toEqual(['IN_BETA_TESTING', 'READY_FOR_BETA_SUBMISSION']);
  expect((await writeNote(made, 'de-DE', 'Startet schneller.')).status).toBe(201);
  expect((await submitForReview(made)).status).toBe(201);
  expect((await addToGroup('Team', made)).status).toBe(204);
  expect((await addToGroup('Public', made)).status).toBe(204);
  expect(await statesOf(made)).toEqual(['IN_BETA_TESTING', 'WAITING_FOR_BETA_REVIEW']);
  connect.reviewBuild(made.id, 'APPROVED');
  expect(await statesOf(made)).toEqual(['IN_BETA_TESTING', 'IN_BETA_TESTING']);
  expect(connect.buildsOf(BUNDLE_ID)).toMatchObject([
    {
      sha256: sha256(bytes),
      size: bytes.length,
      groups: ['Team', 'Public'],
      notes: { 'de-DE': 'Startet schneller.' },
      review: 'APPROVED',
    },
  ]);
  expect(connect.storage.leaks).toEqual([]);
});

describe('uploads', () => {
  test('a build number is used once, however it is spelled', async () => {
    build();
    expect(errorOf(await caller.createUpload(app.id, '1.4', '042'))).toEqual([
      409,
      'ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE',
      '/data/attributes/cfBundleVersion',
    ]);
    expect((await caller.createUpload(app.id, '1.4', '42', 'TV_OS')).status).toBe(201);
    const { id } = (await caller.createUpload(app.id, '1.4', '43')).body.data;
    expect((await caller.createUpload(app.id, '1.4', '43')).status).toBe(409);
    expect((await caller.call('DELETE', `/buildUploads/${id}`)).status).toBe(204);
    expect((await caller.createUpload(app.id, '1.4', '43')).status).toBe(201);
  });

  test('a refused upload uses no build number', async () => {
    connect.failProcessing([90725]);
    expect(await codesFor(await ipaOf())).toEqual(['90725']);
    expect(await codesFor(await ipaOf())).toEqual([]);
  });

  test('an answer is lost after the file was delivered', async () => {
    const bytes = await ipaOf();
    const { id, fileId, operations } = await announce(bytes);
    for (const operation of operations) await caller.sendPart(operation, bytes);
    connect.fail('lost-response', { call: 'commitFile' });
    await expect(caller.commit(fileId)).rejects.toThrow('fetch failed');
    expect((await caller.processed(id)).body.data.attributes.state.state).toBe('COMPLETE');
  });

  test('parts go with exactly their method, headers and length, and never with a bearer', async () => {
    const bytes = await ipaOf();
    const { operations, fileId } = await announce(bytes);
    const [first] = operations;
    if (first === undefined) throw new Error('There is no operation.');
    expect(operations.map(({ offset, length }) => [offset, length]).at(-1)).toEqual([
      1000 * (operations.length - 1),
      bytes.length - 1000 * (operations.length - 1),
    ]);
    expect(new URL(first.url).port).not.toBe(new URL(connect.url).port);
    const headers = Object.fromEntries(first.requestHeaders.map(({ name, value }) => [name, value]));
    const status = async (init: RequestInit): Promise<number> =>
      (await caller.sendPart(first, bytes, init)).status;
    expect(await status({ headers: {} })).toBe(403);
    expect(await status({ method: 'POST' })).toBe(405);
    expect(await status({ body: new Uint8Array(999) })).toBe(400);
    expect(await status({ headers: { ...headers, Authorization: 'Bearer secret' } })).toBe(400);
    expect(connect.storage.leaks).toMatchObject([{ authorization: 'Bearer secret' }]);
    expect((await caller.sendPart({ ...first, url: `${first.url}0` }, bytes)).status).toBe(403);
    expect(connect.storage.files.get(fileId)?.received.size).toBe(0);
    expect(await status({})).toBe(200);
  });

  test('a file is complete with all its parts, and once', async () => {
    const bytes = await ipaOf();
    const { id, fileId, operations } = await announce(bytes);
    for (const operation of operations.slice(1)) await caller.sendPart(operation, bytes);
    expect((await caller.commit(fileId)).body.errors?.[0]?.detail).toContain('parts are missing: 1');
    for (const operation of operations.slice(0, 1)) await caller.sendPart(operation, bytes);
    expect((await caller.commit(fileId)).status).toBe(200);
    expect((await caller.commit(fileId)).status).toBe(409);
    expect((await caller.sendPart(operations[0] as UploadOperation, bytes)).status).toBe(404);
    expect((await caller.call('DELETE', `/buildUploads/${id}`)).status).toBe(409);
    expect((await caller.processed(id)).body.data.attributes.state.state).toBe('COMPLETE');
    expect((await caller.call('GET', `/buildUploadFiles/${fileId}`)).body.data.attributes).toMatchObject({
      assetDeliveryState: { state: 'COMPLETE' },
      uploadOperations: null,
    });
  });

  test('operations end after a time, and with their upload', async () => {
    const bytes = await ipaOf();
    const { id, operations } = await announce(bytes);
    connect.storage.expireOperations();
    expect((await caller.sendPart(operations[0] as UploadOperation, bytes)).text).toContain(
      'Request has expired',
    );
    await caller.call('DELETE', `/buildUploads/${id}`);
    expect((await caller.sendPart(operations[0] as UploadOperation, bytes)).text).toContain('NoSuchUpload');
    expect(errorOf(await caller.call('GET', `/buildUploads/${id}`))).toEqual([404, 'NOT_FOUND', undefined]);
  });

  test('a part can be cut, and sent again', async () => {
    const bytes = await ipaOf();
    const { operations, fileId } = await announce(bytes);
    connect.storage.interrupt(10);
    const [first] = operations as [UploadOperation];
    await expect(caller.sendPart(first, bytes)).rejects.toThrow('fetch failed');
    connect.storage.refuse('SlowDown');
    expect((await caller.sendPart(first, bytes)).status).toBe(503);
    expect(connect.storage.files.get(fileId)?.received.size).toBe(0);
    expect((await caller.sendPart(first, bytes)).status).toBe(200);
  });

  test.each(Object.keys(HOSTILE_OPERATIONS))('answers hostile operations: %s', async (name) => {
    connect.hostileOperations = name as keyof typeof HOSTILE_OPERATIONS;
    const { operations, fileId } = await announce(await ipaOf());
    expect(operations).not.toEqual(connect.storage.files.get(fileId)?.operations);
  });
});

describe('processing', () => {
  test.each<[string, IpaDescription, NewAppleApp['versions'], string[]]>([
    ['another app', { packageName: 'com.example.other' }, [], ['90054', '90055']],
    ['no profile', { profile: null }, [], ['90174']],
    ['a profile for devices', { profile: 'ad-hoc' }, [], ['90161']],
    ['another build number', { versionCode: '43' }, [], ['90473']],
    ['another platform', { platformName: 'appletvos' }, [], ['90473']],
    ['a closed version', {}, [{ versionString: '1.4' }], ['90186', '90062']],
    ['a version below a closed one', {}, [{ versionString: '1.10', state: 'ACCEPTED' }], ['90478', '90062']],
    ['a version that only another platform has', {}, [{ versionString: '1.4', platform: 'MAC_OS' }], []],
    ['a version that is not approved', {}, [{ versionString: '1.4', state: 'IN_REVIEW' }], []],
  ])('of %s', async (_, values, versions = [], codes) => {
    app = connect.addApp({ bundleId: BUNDLE_ID, versions });
    expect(await codesFor(await ipaOf(values))).toEqual(codes);
  });

  test('of a file that is no ipa, and of a number that was used meanwhile', async () => {
    expect(await codesFor(randomBytes(100))).toEqual(['90034']);
    const bytes = await ipaOf();
    const { id, fileId, operations } = await announce(bytes);
    for (const operation of operations) await caller.sendPart(operation, bytes);
    await caller.commit(fileId);
    build();
    expect((await caller.processed(id)).body.data.attributes.state.errors).toMatchObject([{ code: '90189' }]);
  });

  test.each(Object.keys(UPLOAD_ERRORS).map(Number))('fails with %i when it is asked to', async (code) => {
    connect.failProcessing([code as keyof typeof UPLOAD_ERRORS]);
    expect(await codesFor(await ipaOf())).toEqual([String(code)]);
  });

  test('takes reads or a time, and the build shows before its upload names it', async () => {
    Object.assign(connect.processing, {
      polls: 2,
      pollsWithoutName: 1,
      buildPolls: 1,
      buildState: 'INVALID',
    });
    const id = await caller.deliver(app.id, '1.4.0', '42', await ipaOf({ usesNonExemptEncryption: true }));
    const read = async (): Promise<unknown[]> => {
      const { data } = (await caller.call('GET', `/buildUploads/${id}?include=build`)).body;
      return [data.attributes.state.state, data.relationships['build']?.data?.id];
    };
    const listed = async (): Promise<unknown[]> =>
      (await caller.call('GET', `/builds?filter[app]=${app.id}`)).body.data.map(({ attributes }) => [
        attributes['processingState'],
        attributes['usesNonExemptEncryption'],
      ]);
    expect([await read(), await read(), await listed()]).toEqual([
      ['PROCESSING', undefined],
      ['PROCESSING', undefined],
      [],
    ]);
    expect([await read(), await listed()]).toEqual([['PROCESSING', undefined], [['PROCESSING', true]]]);
    expect(await read()).toEqual(['COMPLETE', app.builds[0]?.id]);
    expect(await listed()).toEqual([['INVALID', true]]);
    connect.processing.milliseconds = 60_000;
    connect.processing.polls = 0;
    const next = await caller.deliver(app.id, '1.4.0', '43', await ipaOf({ versionCode: '43' }));
    expect((await caller.call('GET', `/buildUploads/${next}`)).body.data.attributes.state.state).toBe(
      'PROCESSING',
    );
  });

  test('keeps the spelling of a version that came first', async () => {
    build({ version: '1.4' });
    const bytes = await ipaOf({ versionCode: '43' });
    await caller.processed(await caller.deliver(app.id, '1.4.0', '43', bytes));
    const count = async (version: string): Promise<number> =>
      (await caller.call('GET', `/builds?filter[preReleaseVersion.version]=${version}`)).body.data.length;
    expect([await count('1.4'), await count('1.4.0')]).toEqual([2, 0]);
  });
});

describe('TestFlight', () => {
  test('export compliance is answered once, and needs a declaration', async () => {
    const open = build({ usesNonExemptEncryption: null });
    expect(errorOf(await submitForReview(open))[1]).toBe('ENTITY_ERROR.ATTRIBUTE.REQUIRED');
    expect((await answerCompliance(open, true)).status).toBe(200);
    expect(await statesOf(open)).toEqual(['MISSING_EXPORT_COMPLIANCE', 'MISSING_EXPORT_COMPLIANCE']);
    expect(errorOf(await submitForReview(open))[1]).toBe('ENTITY_UNPROCESSABLE.MISSING_EXPORT_COMPLIANCE');
    const again = await answerCompliance(open, true);
    expect(again.body.errors?.[0]?.detail).toContain('already set');
    app.hasEncryptionDeclaration = true;
    expect(await statesOf(open)).toEqual(['IN_BETA_TESTING', 'READY_FOR_BETA_SUBMISSION']);
  });

  test('notes have limits, and one text for each locale of Apple', async () => {
    const made = build();
    const { data } = (await caller.call('GET', `/builds/${made.id}/betaBuildLocalizations`)).body;
    expect(data.map(({ attributes }) => attributes)).toEqual([{ locale: 'en-US', whatsNew: null }]);
    const invalid = 'ENTITY_ERROR.ATTRIBUTE.INVALID';
    expect(errorOf(await writeNote(made, 'en-US', 'Twice.'))[1]).toBe(`${invalid}.DUPLICATE`);
    expect(errorOf(await writeNote(made, 'de', 'Kurz.'))[1]).toBe(invalid);
    expect(errorOf(await writeNote(made, 'it', 'a'.repeat(4001)))[1]).toBe(`${invalid}.TOO_LONG`);
    expect(errorOf(await writeNote(made, 'it', 'a < b'))[1]).toBe(`${invalid}.INVALID_CHARACTERS`);
    expect(errorOf(await writeNote(made, 'it', 'Ciao 🎉'))[1]).toBe(`${invalid}.INVALID_CHARACTERS`);
    const update = (whatsNew: string): Promise<ConnectResponse> =>
      caller.call('PATCH', `/betaBuildLocalizations/${data[0]?.id}`, {
        data: { type: 'betaBuildLocalizations', id: data[0]?.id, attributes: { whatsNew } },
      });
    expect((await update('Better.')).status).toBe(200);
    made.isExpired = true;
    expect((await update('Best.')).body.errors?.[0]?.detail).toContain('cannot be edited at this time');
    expect(connect.buildsOf(BUNDLE_ID)[0]?.notes).toEqual({ 'en-US': 'Better.' });
  });

  test.each<[string, Partial<Build>, Partial<AppleApp>, string]>([
    ['a build in process', { processingState: 'PROCESSING', pollsLeft: 9 }, {}, ''],
    ['an expired build', { isExpired: true }, {}, ''],
    ['the SDK of a beta', { hasBetaSdk: true }, {}, '.BUILD_SDK_NOT_ALLOWED_FOR_EXTERNAL_TESTING'],
    ['no contract', {}, { hasBetaContract: false }, '.BETA_CONTRACT_MISSING'],
    ['too many', {}, { reviewsLeft: 0 }, '.SUBMISSION_LIMIT_REACHED'],
  ])('refuses a beta review: %s', async (_, values, ofApp, code) => {
    Object.assign(app, ofApp);
    expect(errorOf(await submitForReview(build(values)))[1]).toBe(`ENTITY_UNPROCESSABLE${code}`);
  });

  test('reviews one build of a version at a time, each once, and with a description', async () => {
    const [first, second] = [build(), build({ buildNumber: '43' })];
    expect((await submitForReview(first)).status).toBe(201);
    expect(errorOf(await submitForReview(first))[1]).toBe('ENTITY_UNPROCESSABLE.INVALID_QC_STATE');
    expect(errorOf(await submitForReview(second))[1]).toBe('ENTITY_UNPROCESSABLE.ANOTHER_BUILD_IN_REVIEW');
    expect((await submitForReview(build({ version: '1.5' }))).status).toBe(201);
    connect.reviewBuild(first.id, 'REJECTED');
    const reviews = await caller.call('GET', `/betaAppReviewSubmissions?filter[build]=${first.id}`);
    expect(reviews.body.data).toMatchObject([{ attributes: { betaReviewState: 'REJECTED' } }]);
    for (const localization of app.localizations) localization.description = null;
    expect((await submitForReview(second)).body.errors?.[0]?.detail).toBe('Beta App Description is missing.');
  });

  test('groups take builds in the right state only', async () => {
    const made = build();
    const detail = async (name: string): Promise<unknown[]> => {
      const { status, body } = await addToGroup(name, made);
      return [status, body.errors?.[0]?.detail];
    };
    expect(await detail('Public')).toEqual([422, expect.stringContaining('externally assignable state')]);
    expect(await detail('All')).toEqual([422, expect.stringContaining('Cannot add internal group')]);
    made.groupsMissing = 1;
    expect(await detail('Team')).toEqual([404, expect.stringContaining(made.id)]);
    expect((await addToGroup('Team', made)).status).toBe(204);
    const [team] = app.groups;
    const linked = await caller.call('GET', `/betaGroups/${team?.id}/relationships/builds`);
    expect(linked.body.data).toEqual([{ type: 'builds', id: made.id }]);
  });
});
