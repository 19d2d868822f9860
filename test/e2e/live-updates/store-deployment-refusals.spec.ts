import { createApp, type TestApp } from '../../builders/app.js';
import { createNativeBuild } from '../../builders/build.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectInvalid } from '../../support/http/expect-error.js';
import { makeAab } from '../../support/native-builds/aab-writer.js';
import { createFinishedBuild } from '../../support/native-builds/finished-builds.js';
import { importFile } from '../../support/native-builds/imports.js';
import {
  createDestination,
  createReleaseBuild,
  endSubmission,
  releaseFile,
  type StoreDeployment,
  UPLOAD_KEY,
} from '../../support/stores/store-builds.js';

const database = testEnvironment().databaseUrl;
let app: TestApp;
let destination: { id: string; name: string };

beforeAll(async () => {
  app = await createApp();
  destination = await createDestination(app);
});

const submit = (appBuildId: string, values: object = {}) =>
  app.api.post(`${app.path}/deployments`, { appBuildId, appDestinationId: destination.id, ...values });

/** The sentence of a 400 about a field. */
const refused = async (response: ReturnType<typeof submit>, field: string): Promise<string> =>
  expectInvalid(await response, field).message;

describe('what does not fit is a 400 before anything starts', () => {
  const build = (details: object = {}) => createReleaseBuild(app, details);

  afterAll(async () => {
    const own = await query(
      database,
      `SELECT FROM deployments WHERE app_id = $1 AND destination_id IS NOT NULL`,
      [app.id],
    );
    const handed = await query(database, 'SELECT FROM submissions WHERE app_id = $1', [app.id]);
    expect(handed.length).toBe(own.length);
  });

  it.each([
    ['an unsigned file', { signer: undefined }, /aab is signed: sign it with your upload key/],
    ['a debug key', { signer: { ...UPLOAD_KEY, subject: 'C=US, O=Android, CN=Android Debug' } }, /debug key/],
    ['a file for debugging', { debuggable: true }, /not debuggable/],
    [
      'another package',
      { packageName: 'com.example.other' },
      /com\.example\.app, .*is of com\.example\.other/,
    ],
    ['no version code', { versionCode: undefined }, /versionCode from 1 to 2,100,000,000: it has none/],
    ['a version code above the highest', { versionCode: '2100000001' }, /it has 2100000001/],
  ])('%s', async (_what, details, message) => {
    expect(await refused(submit(await build(details)), 'appBuildId')).toMatch(message);
  });

  it('a file that was never read', async () => {
    const { id } = await createFinishedBuild(app, [{ type: 'aab' }]);
    expect(await refused(submit(id), 'appBuildId')).toMatch(/has read: build or import it again/);
  });

  it('a file without the wanted artifact, or with several', async () => {
    const apk = await createFinishedBuild(app, [releaseFile({}, 'apk'), { type: 'zip' }]);
    expect(await refused(submit(apk.id), 'appBuildId')).toMatch(/only apk, and the destination wants aab/);
    const gone = await createFinishedBuild(app, [{ type: 'zip' }]);
    expect(await refused(submit(gone.id), 'appBuildId')).toMatch(/deleted by the retention/);
    const two = await createFinishedBuild(app, [releaseFile(), releaseFile()]);
    expect(await refused(submit(two.id), 'appBuildId')).toMatch(
      /only one file goes to a track, and it has 2/,
    );
  });

  it('but of several files, a track takes the one for its form factor', async () => {
    const wear = await createDestination(app, { googlePlayTrack: 'wear:production' });
    const { id, artifactIds } = await createFinishedBuild(app, [
      releaseFile(),
      releaseFile({ formFactor: 'wear', versionCode: '43' }),
    ]);
    const onWatch = await submit(id, { appDestinationId: wear.id });
    expect(onWatch.body).toMatchObject({ submission: { versionCode: '43', track: 'wear:production' } });
    const onPhone = expectCreated<StoreDeployment>(await submit(id));
    const [stored] = await query(database, 'SELECT artifact_id FROM submissions WHERE id = $1', [onPhone.id]);
    expect(stored).toEqual({ artifact_id: artifactIds[0] });
  });

  it('a build that has not succeeded', async () => {
    for (const status of ['in_progress', 'failed', 'canceled']) {
      const { id } = await createFinishedBuild(app, [{ ...releaseFile(), status: 'pending' }], {}, status);
      expect(await refused(submit(id), 'appBuildId')).toMatch(/whose job has succeeded/);
    }
  });

  it('a build of another platform', async () => {
    const ios = await createNativeBuild(app, 'ios', 901);
    expect(await refused(submit(ios), 'appDestinationId')).toMatch(
      /for ios, as the build is: it is for android/,
    );
  });

  it.each([
    ['androidPackageName', { androidPackageName: null }],
    ['googlePlayTrack', { googlePlayTrack: null }],
    ['appGoogleServiceAccountKeyId', { appGoogleServiceAccountKeyId: null }],
  ])('a destination without %s', async (field, values) => {
    const { id } = await createDestination(app, values);
    const message = await refused(submit(await build(), { appDestinationId: id }), 'appDestinationId');
    expect(message).toContain(field);
  });

  it.each([
    ['firebase-app-distribution', /Firebase App Distribution \(firebase-app-distribution\) are not supp/],
    ['huawei-appgallery', /Huawei AppGallery \(huawei-appgallery\) are not supported yet/],
  ])('a destination of the type %s', async (type, message) => {
    const { id } = await createDestination(app, { type });
    expect(await refused(submit(await build(), { appDestinationId: id }), 'appDestinationId')).toMatch(
      message,
    );
  });

  it('a share of 0, and a share of a draft', async () => {
    const draft = await createDestination(app, { androidReleaseStatus: 'draft' });
    const appBuildId = await build();
    expect(await refused(submit(appBuildId, { rolloutPercentage: 0 }), 'rolloutPercentage')).toMatch(
      /above 0/,
    );
    const half = submit(appBuildId, { rolloutPercentage: 0.5, appDestinationId: draft.id });
    expect(await refused(half, 'rolloutPercentage')).toMatch(/a draft has no share/);
    const whole = await submit(appBuildId, { rolloutPercentage: 1, appDestinationId: draft.id });
    expect(whole.status).toBe(201);
  });

  it('notes of 501 characters, counted in code points', async () => {
    const appBuildId = await build();
    const tooLong = submit(appBuildId, { releaseNotes: { default: 'x', 'de-DE': 'ü'.repeat(501) } });
    expect(await refused(tooLong, 'releaseNotes')).toBe(
      'releaseNotes.de-DE must be at most 500 characters long for Google Play: it has 501.',
    );
    const emoji = await submit(appBuildId, { releaseNotes: { default: '🚀'.repeat(500) } });
    expect(emoji.status).toBe(201);
    const most = { default: '🚀'.repeat(4001) };
    expect(await refused(submit(appBuildId, { releaseNotes: most }), 'releaseNotes')).toMatch(/4000/);
    for (const releaseNotes of ['x', [], { '': 'x' }, { 'de DE': 'x' }, { default: 5 }, { de: null }]) {
      await refused(submit(appBuildId, { releaseNotes }), 'releaseNotes');
    }
  });

  it('options of the wrong type, and those for Apple', async () => {
    const appBuildId = await build();
    const date = submit(appBuildId, { appleEarliestReleaseDate: '2030-01-01T00:00:00Z' });
    expect(await refused(date, 'appleEarliestReleaseDate')).toMatch(/absent for Google Play/);
    for (const [field, values] of Object.entries({
      inAppUpdatePriority: [6, -1, 1.5, '3'],
      cancelRunningReview: ['true', 1],
      acceptNewSigner: ['yes', 0],
      force: ['yes', 0],
      appleEarliestReleaseDate: ['tomorrow', true],
      emergency: ['now', true, []],
    })) {
      for (const value of values) await refused(submit(appBuildId, { [field]: value }), field);
    }
  });

  it('damaged bytes', async () => {
    const own = await createApp();
    const target = await createDestination(own);
    const appBuildId = await createReleaseBuild(own);
    await query(
      database,
      `UPDATE blobs SET damaged_at = now(), damage = 'missing' WHERE id IN (
         SELECT blob_id FROM build_artifacts WHERE build_id = $1)`,
      [appBuildId],
    );
    const response = own.api.post(`${own.path}/deployments`, { appBuildId, appDestinationId: target.id });
    expect(await refused(response, 'appBuildId')).toMatch(/damaged, so build or import it again/);
  });

  it('another key than that of the last release, unless the request accepts it', async () => {
    const own = await createApp();
    const target = await createDestination(own);
    const other = { subject: 'CN=New key', sha256: Array(32).fill('CD').join(':') };
    let versionCode = 1;
    const deploy = async (signer: object, values: object = {}) =>
      own.api.post(`${own.path}/deployments`, {
        appBuildId: await createReleaseBuild(own, {
          versionCode: String(versionCode++),
          signer: signer as typeof UPLOAD_KEY,
        }),
        appDestinationId: target.id,
        ...values,
      });
    // A submission that fails is no release.
    await endSubmission(expectCreated(await deploy(other)), 'failed');
    await endSubmission(expectCreated(await deploy(UPLOAD_KEY)), 'prepared');
    const message = await refused(deploy(other), 'appBuildId');
    expect(message).toContain(`SHA-256 ${UPLOAD_KEY.sha256}, not ${other.sha256}`);
    expect(message).toContain('acceptNewSigner');
    await endSubmission(expectCreated(await deploy(other, { acceptNewSigner: true })), 'prepared');
    await refused(deploy(UPLOAD_KEY), 'appBuildId');
    expect((await deploy(other)).status).toBe(201);
  });

  it('compares with what the server has read of the file itself', async () => {
    const artifact = { type: 'aab', fileName: 'app.aab' };
    const unsigned = await importFile(app, await makeAab({ versionCode: 7 }), { artifact });
    expect(await refused(submit(unsigned.id), 'appBuildId')).toMatch(/is signed/);
    const signed = await importFile(app, await makeAab({ versionCode: 8, signed: true }), { artifact });
    const accepted = await submit(signed.id, { acceptNewSigner: true });
    expect(accepted.body).toMatchObject({ submission: { versionCode: '8' } });
  });
});
