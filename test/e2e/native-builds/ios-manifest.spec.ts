import { randomUUID } from 'node:crypto';
import { parse } from 'plist';
import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBuildShare } from '../../builders/build-share.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectInvalid } from '../../support/http/expect-error.js';
import { createFinishedBuild, type FinishedBuild } from '../../support/native-builds/finished-builds.js';

const { origin, databaseUrl } = testEnvironment();
const anonymous = new Api(origin, null);
const PASSWORD = 'four unusual words';
const APP = { displayName: 'Shop', packageName: 'com.example.app', packageVersion: '1.2.3' };

let app: TestApp;
let build: FinishedBuild;
beforeAll(async () => {
  app = await createApp();
  build = await createFinishedBuild(
    app,
    [{ type: 'ipa', details: { profileType: 'ad-hoc' } }, { type: 'apk' }],
    {
      platform: 'ios',
      type: 'ad-hoc',
    },
  );
});

function get(
  values: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const path = `/v1/ios-manifest-plist?${new URLSearchParams({ ...APP, ...values }).toString()}`;
  return Promise.resolve(anonymous.request('get', path).set(headers));
}
/** A signed address of a file of the build. */
async function signedUrl(index = 0, fileName = ''): Promise<string> {
  const path = `${build.path}/artifacts/${build.artifactIds[index]}/signed-download-url?fileName=${fileName}`;
  return ((await app.api.get(path)).body as { url: string }).url;
}
const sharedUrl = (id: string, index = 0): string =>
  `${origin}/v1/app-build-shares/${id}/artifacts/${build.artifactIds[index]}/download`;

describe('a manifest for iPhones and iPads', () => {
  it('is a property list with one item, which nothing stores', async () => {
    const url = await signedUrl();
    const response = await get({ url, displayName: 'L\u00e4den & <b>"\u{1F6D2}"</b>' });
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(parse(response.text)).toEqual({
      items: [
        {
          assets: [{ kind: 'software-package', url }],
          metadata: {
            'bundle-identifier': 'com.example.app',
            'bundle-version': '1.2.3',
            kind: 'software',
            title: 'L\u00e4den & <b>"\u{1F6D2}"</b>',
          },
        },
      ],
    });
    expect((await anonymous.get(url.replace(origin, ''))).status).toBe(200);
  });

  it('leaves out what an address has besides', async () => {
    const url = await signedUrl(0, 'a%26b.ipa');
    const manifest = parse((await get({ url })).text) as { items: { assets: { url: string }[] }[] };
    expect(manifest.items[0]?.assets[0]?.url).toBe(url.split('&fileName')[0]);
  });

  it('takes addresses of shares while they work', async () => {
    const share = await createBuildShare(app, build.id);
    const url = sharedUrl(share.id);
    expect((await get({ url })).status).toBe(200);
    await app.api.patch(`${build.path}/shares/${share.id}`, { password: PASSWORD });
    expectInvalid(await get({ url }), 'url');
    const unlocked = await anonymous.post(`/v1/app-build-shares/${share.id}/unlock`, { password: PASSWORD });
    const { artifacts } = unlocked.body as { artifacts: { type: string; downloadUrl: string }[] };
    const file = artifacts.find(({ type }) => type === 'ipa');
    expect((await get({ url: file?.downloadUrl ?? '' })).status).toBe(200);
    await app.api.patch(`${build.path}/shares/${share.id}`, { password: 'another password' });
    expectInvalid(await get({ url: file?.downloadUrl ?? '' }), 'url');
    await app.api.patch(`${build.path}/shares/${share.id}`, { password: null });
    expect((await get({ url })).status).toBe(200);
    await query(
      databaseUrl,
      `UPDATE build_shares SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [share.id],
    );
    expectInvalid(await get({ url }), 'url');
  });

  it('is refused for another package than the file has', async () => {
    const response = await get({ url: await signedUrl(), packageName: 'com.example.bank' });
    expectInvalid(response, 'packageName');
    expect(response.body).toMatchObject({
      message: 'packageName must be com.example.app, as the file says.',
    });
  });

  it('is refused for files that are no ipa, and those that are not there', async () => {
    const share = await createBuildShare(app, build.id);
    const other = await createFinishedBuild(await createApp(), [{ type: 'ipa' }]);
    for (const url of [
      await signedUrl(1),
      sharedUrl(share.id, 1),
      sharedUrl(randomUUID()),
      `${origin}/v1/app-build-shares/${share.id}/artifacts/${other.artifactIds[0]}/download`,
      `${origin}/v1/app-build-shares/${share.id}/icon`,
      (await signedUrl()).replace(build.id, other.id),
    ]) {
      expectInvalid(await get({ url }), 'url');
    }
  });

  it('is refused for addresses whose signature is missing, another, or has expired', async () => {
    const url = await signedUrl();
    const changed: ((url: URL) => void)[] = [
      ({ searchParams }) => searchParams.delete('signature'),
      ({ searchParams }) => searchParams.delete('expiresAt'),
      ({ searchParams }) => searchParams.set('signature', 'f'.repeat(64)),
      ({ searchParams }) => searchParams.append('signature', 'f'.repeat(64)),
      ({ searchParams }) => searchParams.set('expiresAt', '1'),
      ({ searchParams }) => searchParams.append('expiresAt', '1'),
      ({ searchParams }) => searchParams.set('expiresAt', '1e400'),
    ];
    for (const change of changed) {
      const forged = new URL(url);
      change(forged);
      expectInvalid(await get({ url: forged.href }), 'url');
    }
    expect((await get({ url })).status).toBe(200);
  });

  it('is refused for addresses that could lead elsewhere', async () => {
    const url = await signedUrl();
    const { host, pathname, search } = new URL(url);
    const path = `${pathname}${search}`;
    const foreign = [
      `https://evil.example.com${path}`,
      `//evil.example.com${path}`,
      `//${host}${path}`,
      `https://${host}${path}`,
      `http://${host}.evil.example.com${path}`,
      `http://${host}@evil.example.com${path}`,
      `http://user:password@${host}${path}`,
      `http://${host}:80${path}`,
      `http://evil.example.com\\@${host}${path}`,
      `http:\\\\${host}${path}`,
      `http:/${host}${path}`,
      `HTTP://${host}${path}`,
      ` ${url}`,
      `${url}\r\nX-Evil: 1`,
      `\u0001${url}`,
      `javascript:alert(1)//${url}`,
      `data:text/html,${url}`,
      `itms-services://?action=download-manifest&url=${url}`,
      `http://\u0435xample.com${path}`,
      `http://evil\u3002example.com${path}`,
      `${origin}//evil.example.com${path}`,
      `${origin}/%2fevil.example.com${path}`,
      `${origin}${pathname.replace('/download', '%2fdownload')}${search}`,
      `${origin}${pathname}/../../download${search}`,
      `${origin}/v1/../${pathname}${search}`,
      `${origin}${pathname}#${search}`,
      `${origin}${pathname.toUpperCase()}${search}`,
      `${origin}/v1/ios-manifest-plist${search}`,
      path,
      origin,
    ];
    for (const address of foreign) {
      const response = await get({ url: address });
      expectInvalid(response, 'url');
      expect(response.text).not.toContain('evil');
    }
  });

  it.each<[string, Record<string, string>, string]>([
    ['no address', { url: '' }, 'url'],
    ['a long address', { url: `${origin}/${'x'.repeat(2000)}` }, 'url'],
    ['no name', { displayName: '' }, 'displayName'],
    ['a long name', { displayName: 'x'.repeat(256) }, 'displayName'],
    ['a name of two lines', { displayName: 'a\nb' }, 'displayName'],
    ['a name that XML cannot hold', { displayName: 'a\uffffb' }, 'displayName'],
    ['no package name', { packageName: '' }, 'packageName'],
    ['another package name', { packageName: 'com.example.<app>' }, 'packageName'],
    ['no version', { packageVersion: '' }, 'packageVersion'],
    ['a long version', { packageVersion: '1'.repeat(101) }, 'packageVersion'],
    ['a version with a bell', { packageVersion: '1\u0007' }, 'packageVersion'],
  ])('is refused with %s', async (_what, values, field) => {
    expectInvalid(await get({ url: await signedUrl(), ...values }), field);
  });

  it.each(['url', 'displayName', 'packageName', 'packageVersion'])(
    'is refused without %s, or with two',
    async (name) => {
      const values = new URLSearchParams({ ...APP, url: await signedUrl() });
      values.append(name, 'other');
      expectInvalid(await anonymous.get(`/v1/ios-manifest-plist?${values.toString()}`), name);
      values.delete(name);
      expectInvalid(await anonymous.get(`/v1/ios-manifest-plist?${values.toString()}`), name);
    },
  );
});
