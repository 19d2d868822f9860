import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBuildShare, type TestShare } from '../../builders/build-share.js';
import { createTenant } from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { createFinishedBuild, type FinishedBuild } from '../../support/native-builds/finished-builds.js';

const PASSWORD = 'four unusual words';
const { origin, databaseUrl } = testEnvironment();
const anonymous = new Api(origin, null);

interface Shared {
  readonly artifacts: readonly { readonly id: string; readonly downloadUrl: string }[];
  readonly iconUrl: string;
  readonly downloadsExpireAt: string | null;
}

let app: TestApp;
let build: FinishedBuild;

beforeEach(async () => {
  app = await createApp();
  const details = { versionName: '1.2.3', versionCode: '45', icon: true };
  build = await createFinishedBuild(app, [{ type: 'apk', details, mimeType: 'text/html' }], {
    package_version: '1.2.3',
    display_name: 'Spring',
  });
});

const pathOf = ({ id }: TestShare, more = ''): string => `/v1/app-build-shares/${id}${more}`;
const patch = ({ id }: TestShare, changes: object): Promise<Response> =>
  app.api.patch(`${build.path}/shares/${id}`, changes);
const open = async (share: TestShare): Promise<Shared> => (await anonymous.get(pathOf(share))).body as Shared;
const sendPassword = (share: TestShare, password: unknown, api = anonymous): Promise<Response> =>
  api.post(pathOf(share, '/unlock'), { password });
const unlock = async (share: TestShare): Promise<Shared> => {
  const response = await sendPassword(share, PASSWORD);
  expect(response.status).toBe(200);
  return response.body as Shared;
};
const relative = (url: string): string => url.replace(origin, '');
const download = (url: string): Promise<Response> =>
  Promise.resolve(anonymous.request('get', relative(url)).buffer(true).responseType('blob'));
const fileOf = ({ artifacts }: Shared): string => artifacts[0]?.downloadUrl ?? '';
const sql = (text: string, values: unknown[]): Promise<unknown> => query(databaseUrl, text, values);

describe('a shared build', () => {
  it('shows what the page shows to everyone with the id', async () => {
    const share = await createBuildShare(app, build.id, { description: 'Hello' });
    const response = await anonymous.get(pathOf(share));
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toEqual({
      id: share.id,
      passwordRequired: false,
      appName: 'Shop',
      description: 'Hello',
      numberAsString: '2',
      platform: 'android',
      type: 'release',
      displayName: 'Spring',
      packageName: null,
      packageVersion: '1.2.3',
      builtAt: expect.any(String) as string,
      expiresAt: null,
      iconUrl: `${origin}${pathOf(share, '/icon')}`,
      downloadsExpireAt: null,
      artifacts: [
        {
          id: build.artifactIds[0],
          type: 'apk',
          fileName: 'app.apk',
          fileSizeInBytes: build.bytes.length,
          versionName: '1.2.3',
          versionCode: '45',
          minSdkVersion: null,
          minOsVersion: null,
          profileType: null,
          downloadUrl: `${origin}${pathOf(share, `/artifacts/${build.artifactIds[0]}/download`)}`,
          installUrl: null,
        },
      ],
    });
  });

  it('offers apk, ipa and aab, what can be installed first, and nothing else', async () => {
    const many = await createFinishedBuild(app, [
      { type: 'zip', fileName: 'mapping.zip' },
      { type: 'aab' },
      { type: 'apk' },
      { type: 'apk', status: 'pending' },
    ]);
    const share = await createBuildShare(app, many.id);
    const { artifacts } = await open(share);
    expect(artifacts.map(({ id }) => id)).toEqual([many.artifactIds[2], many.artifactIds[1]]);
    for (const hidden of [many.artifactIds[0], many.artifactIds[3]]) {
      const response = await anonymous.get(pathOf(share, `/artifacts/${hidden}/download`));
      expectError(response, 404, 'build_artifact_not_found');
    }
  });

  it('has no files when it is of the web', async () => {
    const bundle = await uploadBundle(app);
    const share = await createBuildShare(app, bundle.buildId);
    expect(await open(share)).toMatchObject({ platform: 'web', type: null, artifacts: [], iconUrl: null });
    const response = await anonymous.get(pathOf(share, `/artifacts/${bundle.id}/download`));
    expectError(response, 404, 'build_artifact_not_found');
    expectError(await anonymous.get(pathOf(share, '/icon')), 404, 'icon_not_found');
  });

  it('is unknown in the same way when it never was, has expired or was deleted', async () => {
    const [expired, deleted] = [
      await createBuildShare(app, build.id),
      await createBuildShare(app, build.id, { password: PASSWORD }),
    ];
    const files = [fileOf(await open(expired)), fileOf(await unlock(deleted))];
    await sql(`UPDATE build_shares SET expires_at = now() - interval '1 second' WHERE id = $1`, [expired.id]);
    await app.api.delete(`${build.path}/shares/${deleted.id}`);
    const bodies = [];
    for (const id of [expired.id, deleted.id, randomUUID(), 'unknown']) {
      for (const path of ['', '/icon', `/artifacts/${build.artifactIds[0]}/download`]) {
        const response = await anonymous.get(`/v1/app-build-shares/${id}${path}`);
        bodies.push(expectError(response, 404, 'build_share_not_found').message);
      }
      const unlocking = await anonymous.post(`/v1/app-build-shares/${id}/unlock`, { password: PASSWORD });
      bodies.push(expectError(unlocking, 404, 'build_share_not_found').message);
    }
    for (const url of files) expectError(await anonymous.get(relative(url)), 404, 'build_share_not_found');
    expect(new Set(bodies).size).toBe(1);
  });

  it('shows until when it is there', async () => {
    const share = await createBuildShare(app, build.id, { expiresAt: '2099-01-01T00:00:00.000Z' });
    expect(await open(share)).toMatchObject({ expiresAt: '2099-01-01T00:00:00.000Z' });
  });

  it('stays when the app moves to another organization', async () => {
    const share = await createBuildShare(app, build.id);
    const other = await createTenant();
    await sql(`INSERT INTO members (id, organization_id, user_id, role) VALUES ($1, $2, $3, 'owner')`, [
      randomUUID(),
      other.organizationId,
      app.tenant.owner.userId,
    ]);
    const moved = await app.api.post(`${app.path}/transfer`, { organizationId: other.organizationId });
    expect(moved.status).toBeLessThan(300);
    expect((await download(fileOf(await open(share)))).status).toBe(200);
  });
});

describe('a download of a share', () => {
  it('is the file, as an attachment that Android installs, and counts', async () => {
    const share = await createBuildShare(app, build.id);
    const response = await download(fileOf(await open(share)));
    expect(response.status).toBe(200);
    expect((response.body as Buffer).equals(build.bytes)).toBe(true);
    expect(response.headers).toMatchObject({
      'content-type': 'application/vnd.android.package-archive',
      'content-disposition': 'attachment; filename=app.apk',
      'content-length': String(build.bytes.length),
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    });
    await eventually(async () => {
      const { body } = await app.api.get(`${build.path}/artifacts`);
      expect(body).toMatchObject([{ totalDownloads: 1 }]);
    });
  });

  it('has a type of its own whatever the file was announced as, and a name that cannot break the header', async () => {
    const hostile = await createFinishedBuild(app, [
      { type: 'aab', fileName: '../"a\r\nX-Evil: 1.html', mimeType: 'text/html' },
    ]);
    const response = await download(fileOf(await open(await createBuildShare(app, hostile.id))));
    expect(response.headers['content-type']).toBe('application/octet-stream');
    expect(response.headers['content-disposition']).toMatch(/^attachment; /);
    expect(response.headers['x-evil']).toBeUndefined();
  });

  it('answers HEAD, and 304 for bytes that the caller has', async () => {
    const path = relative(fileOf(await open(await createBuildShare(app, build.id))));
    const head = await anonymous.request('head', path);
    expect([head.status, head.headers['content-length']]).toEqual([200, String(build.bytes.length)]);
    const again = anonymous.request('get', path).set('If-None-Match', head.headers['etag'] ?? '');
    expect((await again).status).toBe(304);
  });

  it('is of its own build only', async () => {
    const share = await createBuildShare(app, build.id);
    const beside = await createFinishedBuild(app);
    const theirs = await createFinishedBuild(await createApp());
    for (const other of [beside, theirs]) {
      const response = await anonymous.get(pathOf(share, `/artifacts/${other.artifactIds[0]}/download`));
      expectError(response, 404, 'build_artifact_not_found');
    }
    expectError(await anonymous.get(pathOf(share, '/artifacts/unknown/download')), 404);
  });

  it('ends with its share, also at an address from before', async () => {
    const share = await createBuildShare(app, build.id);
    const shared = await open(share);
    expect((await download(fileOf(shared))).status).toBe(200);
    await app.api.delete(`${build.path}/shares/${share.id}`);
    for (const url of [fileOf(shared), shared.iconUrl]) {
      expectError(await anonymous.get(relative(url)), 404, 'build_share_not_found');
    }
  });

  it('shows the icon as an image, and as nothing that could run', async () => {
    const { iconUrl } = await open(await createBuildShare(app, build.id));
    const response = await download(iconUrl);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    await sql(`UPDATE artifact_details SET icon_mime_type = 'image/svg+xml' WHERE id = $1`, [
      build.artifactIds[0],
    ]);
    expectError(await anonymous.get(relative(iconUrl)), 404);
  });
});

describe('a share with a password', () => {
  let share: TestShare;
  beforeEach(async () => {
    share = await createBuildShare(app, build.id, { password: PASSWORD });
  });

  it('shows nothing without it', async () => {
    expect((await anonymous.get(pathOf(share))).body).toEqual({ id: share.id, passwordRequired: true });
    expect((await app.api.get(pathOf(share))).body).toEqual({ id: share.id, passwordRequired: true });
    const path = pathOf(share, `/artifacts/${build.artifactIds[0]}/download`);
    expectError(await anonymous.get(path), 403, 'share_locked');
    expectError(await anonymous.get(pathOf(share, '/icon')), 403, 'share_locked');
    // Not even whether it has such a file.
    const unknown = pathOf(share, `/artifacts/${randomUUID()}/download`);
    expectError(await anonymous.get(unknown), 403, 'share_locked');
  });

  it('opens with it, for 15 minutes', async () => {
    const before = Date.now();
    const shared = await unlock(share);
    expect(shared).toMatchObject({ passwordRequired: false, appName: 'Shop' });
    const end = new Date(shared.downloadsExpireAt ?? 0).getTime();
    expect(end).toBeGreaterThanOrEqual(before + 15 * 60_000 - 1000);
    expect(end).toBeLessThanOrEqual(Date.now() + 15 * 60_000 + 1000);
    expect((await download(fileOf(shared))).status).toBe(200);
    expect((await download(shared.iconUrl)).status).toBe(200);
    expect(JSON.stringify(shared)).not.toContain(PASSWORD);
  });

  it('opens no longer than it is there', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    await patch(share, { expiresAt });
    expect(await unlock(share)).toMatchObject({ downloadsExpireAt: expiresAt });
  });

  it('composes letters as keyboards do not', async () => {
    await patch(share, { password: 'ein schönes Wort' });
    expect((await sendPassword(share, 'ein scho\u0308nes Wort')).status).toBe(200);
  });

  it.each([
    ['wrong password!'],
    [PASSWORD.toUpperCase()],
    [`${PASSWORD} `],
    [''],
    ['\u{1F600}'.repeat(1000)],
  ])('stays closed with %j', async (password) => {
    const response = await sendPassword(share, password);
    expectError(response, 403, 'wrong_share_password');
    expect(response.text).not.toContain('Shop');
  });

  it.each([[undefined], [null], [5], [['a']], [{ a: 1 }], ['x'.repeat(1025)]])(
    'does not take %j for a password',
    async (password) => {
      expectInvalid(await sendPassword(share, password), 'password');
    },
  );

  it('signs addresses of one file, one time and one password', async () => {
    const url = new URL(fileOf(await unlock(share)));
    const beside = await createBuildShare(app, build.id, { password: PASSWORD });
    const forgeries: ((url: URL) => void)[] = [
      (forged) => forged.searchParams.delete('signature'),
      (forged) => forged.searchParams.delete('expiresAt'),
      (forged) => forged.searchParams.set('signature', 'f'.repeat(64)),
      (forged) => forged.searchParams.set('signature', 'ü'),
      (forged) => forged.searchParams.set('expiresAt', String(Date.now() + 1e9)),
      (forged) => (forged.pathname = pathOf(share, '/icon')),
      (forged) => (forged.pathname = forged.pathname.replace(share.id, beside.id)),
    ];
    for (const forge of forgeries) {
      const forged = new URL(url);
      forge(forged);
      expectError(await anonymous.get(relative(forged.href)), 403, 'share_locked');
    }
    const never = new URL(url);
    never.searchParams.set('expiresAt', 'never');
    expectInvalid(await anonymous.get(relative(never.href)), 'expiresAt');
    expect((await download(url.href)).status).toBe(200);
  });

  it('closes addresses that were signed before its password changed, also to the same one', async () => {
    for (const password of [PASSWORD, 'another password']) {
      await patch(share, { password: PASSWORD });
      const shared = await unlock(share);
      await patch(share, { password });
      for (const url of [fileOf(shared), shared.iconUrl]) {
        expectError(await anonymous.get(relative(url)), 403, 'share_locked');
      }
    }
    expectError(await sendPassword(share, PASSWORD), 403, 'wrong_share_password');
  });

  it('closes addresses of a share that had none before, and opens them again', async () => {
    const open_ = await createBuildShare(app, build.id);
    const url = fileOf(await open(open_));
    await patch(open_, { password: PASSWORD });
    expectError(await anonymous.get(relative(url)), 403, 'share_locked');
    await patch(open_, { password: null });
    expect((await download(url)).status).toBe(200);
  });

  it('keeps its addresses when its text changes', async () => {
    const url = fileOf(await unlock(share));
    await patch(share, { description: 'Other' });
    expect((await download(url)).status).toBe(200);
  });

  it('slows down guessing, also of many at once and of callers with a token', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        sendPassword(share, `wrong password ${n}`, n % 2 ? app.api : anonymous),
      ),
    );
    const wrong = responses.filter(({ status }) => status === 403);
    expect(wrong.length).toBeLessThanOrEqual(6);
    const limited = responses.find(({ status }) => status === 429);
    expectError(limited!, 429, 'rate_limited');
    expect(Number(limited!.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    // The right one has to wait, too. Other shares do not.
    expect((await sendPassword(share, PASSWORD)).status).toBe(429);
    const other = await createBuildShare(app, build.id, { password: PASSWORD });
    expect((await sendPassword(other, PASSWORD)).status).toBe(200);
  });
});
