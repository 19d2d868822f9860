import { createHash } from 'node:crypto';
import type { Response } from 'supertest';
import { v7 as uuid } from 'uuid';
import { deriveKey } from '../../../src/common/secrets/derive-key.js';
import { signDownload } from '../../../src/native-builds/build-artifacts/signed-downloads.service.js';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, registerBundle } from '../../builders/bundle.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { type TestUpload, uploadBundle } from '../../builders/publication.js';
import { ENCRYPTION_KEY } from '../../setup/server.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

describe('build artifacts', () => {
  let app: TestApp;
  let bundle: TestUpload;
  let list: string;
  let artifact: string;
  let anonymous: Api;

  beforeAll(async () => {
    app = await createApp();
    bundle = await uploadBundle(app);
    list = `${app.path}/builds/${bundle.buildId}/artifacts`;
    artifact = `${list}/${bundle.id}`;
    anonymous = new Api(app.api.origin, null);
  });

  const bytesOf = (response: Response): Buffer => response.body as Buffer;
  const download = (path: string, api = app.api): Promise<Response> =>
    Promise.resolve(api.request('get', path).buffer(true).responseType('blob'));
  const signedUrl = async (search = ''): Promise<URL> => {
    const { body } = await app.api.get(`${artifact}/signed-download-url${search}`);
    return new URL((body as { url: string }).url);
  };
  const pathOf = (url: URL): string => `${url.pathname}${url.search}`;

  describe('list', () => {
    it('shows what the build produced', async () => {
      const { body, headers } = await app.api.get(list);
      expect(body).toEqual([
        {
          id: bundle.id,
          appBuildId: bundle.buildId,
          type: 'zip',
          status: 'ready',
          fileName: 'bundle.zip',
          fileMimeType: 'application/zip',
          fileSizeInBytes: bundle.bytes.length,
          totalSizeInBytes: bundle.bytes.length,
          totalDownloads: expect.any(Number) as number,
          formFactor: null,
          packageName: null,
          versionName: null,
          versionCode: null,
          minSdkVersion: null,
          targetSdkVersion: null,
          minOsVersion: null,
          applePlatform: null,
          usesNonExemptEncryption: null,
          label: null,
          debuggable: null,
          signer: null,
          iconUrl: null,
          downloadUrl: null,
          createdAt: expect.any(String) as string,
          updatedAt: expect.any(String) as string,
        },
      ]);
      expect(headers['x-total-count']).toBe('1');
      expect((await app.api.get(`${list}?limit=1&offset=1`)).body).toEqual([]);
      expectInvalid(await app.api.get(`${list}?limit=0`), 'limit');
    });

    it('shows what is still to come', async () => {
      const pending = await createBundle(app);
      const { body } = await app.api.get(`${app.path}/builds/${pending.buildId}/artifacts`);
      expect(body).toMatchObject([
        { id: pending.id, status: 'pending', fileName: null, fileSizeInBytes: null },
      ]);
    });

    it('is unknown without the build, to strangers and in another app', async () => {
      for (const id of [uuid(), 'unknown', bundle.id]) {
        expectError(await app.api.get(`${app.path}/builds/${id}/artifacts`), 404, 'build_not_found');
      }
      const { owner } = await createTenant();
      expectError(await owner.api.get(list), 404, 'app_not_found');
      const other = await createApp(app.tenant);
      const path = `${other.path}/builds/${bundle.buildId}/artifacts`;
      expectError(await app.api.get(path), 404, 'build_not_found');
      expectError(await anonymous.get(list), 401, 'not_authenticated');
      const billing = await createMember(app.tenant, 'billing');
      expectError(await billing.api.get(list), 403, 'not_authorized');
    });
  });

  describe('download', () => {
    it('answers the bytes', async () => {
      const response = await download(`${artifact}/download`);
      expect(response.status).toBe(200);
      expect(bytesOf(response).equals(bundle.bytes)).toBe(true);
      expect(response.headers).toMatchObject({
        'content-type': 'application/zip',
        'content-length': String(bundle.bytes.length),
        'content-disposition': 'attachment; filename=bundle.zip',
        etag: `"${createHash('sha256').update(bundle.bytes).digest('hex')}"`,
      });
    });

    it('answers 304 for bytes that the caller has, and the headers alone for HEAD', async () => {
      const head = await app.api.request('head', `${artifact}/download`);
      expect(head.status).toBe(200);
      expect(head.headers['content-length']).toBe(String(bundle.bytes.length));
      const again = app.api.request('get', `${artifact}/download`);
      const response = await again.set('If-None-Match', head.headers['etag'] ?? '');
      expect({ status: response.status, text: response.text }).toEqual({ status: 304, text: '' });
    });

    it.each([
      ['app.zip', 'attachment; filename=app.zip'],
      ['app release.zip', 'attachment; filename="app release.zip"'],
      ['a"b.zip', 'attachment; filename="a\\"b.zip"'],
      ['müll.zip', `attachment; filename="m?ll.zip"; filename*=UTF-8''m%C3%BCll.zip`],
      ['日本.zip', `attachment; filename="??.zip"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.zip`],
      ['../../etc/passwd', 'attachment; filename=passwd'],
      ['a\r\nX-Evil: 1', `attachment; filename="a??X-Evil: 1"; filename*=UTF-8''a%0D%0AX-Evil%3A%201`],
    ])('names the file %j as it is asked to', async (fileName, disposition) => {
      const search = new URLSearchParams({ fileName });
      const response = await download(`${artifact}/download?${search}`);
      expect(response.status).toBe(200);
      expect(response.headers['content-disposition']).toBe(disposition);
      expect(response.headers).not.toHaveProperty('x-evil');
      expect(response.headers['content-type']).toBe('application/zip');
    });

    it('is counted', async () => {
      const own = await createApp();
      const { id, buildId } = await uploadBundle(own);
      const url = `${own.path}/builds/${buildId}/artifacts`;
      await Promise.all([1, 2, 3].map(() => download(`${url}/${id}/download`, own.api)));
      await eventually(async () =>
        // Besides those of the three emulators that install what `uploadBundle` publishes.
        expect((await own.api.get(url)).body).toMatchObject([{ totalDownloads: 3 + 3 }]),
      );
    });

    it('is refused without a token that may read', async () => {
      const { owner } = await createTenant();
      const billing = await createMember(app.tenant, 'billing');
      const viewer = await createMember(app.tenant, 'viewer');
      expectError(await anonymous.get(`${artifact}/download`), 401, 'not_authenticated');
      expectError(await owner.api.get(`${artifact}/download`), 404, 'app_not_found');
      expectError(await billing.api.get(`${artifact}/download`), 403, 'not_authorized');
      expect((await download(`${artifact}/download`, viewer.api)).status).toBe(200);
    });

    it.each(['download', 'signed-download-url'])('has no %s of what is not there', async (verb) => {
      const pending = await createBundle(app);
      const registered = await registerBundle(app);
      const other = await uploadBundle(app);
      for (const path of [
        `${app.path}/builds/${pending.buildId}/artifacts/${pending.id}`,
        `${app.path}/builds/${registered.buildId}/artifacts/${registered.id}`,
        `${list}/${other.id}`,
        `${list}/${uuid()}`,
      ]) {
        expectError(await app.api.get(`${path}/${verb}`), 404, 'build_artifact_not_found');
      }
      expectError(await app.api.get(`${list}/unknown/${verb}`), 404);
      expectError(await app.api.get(`${app.path}/builds/${uuid()}/artifacts/${bundle.id}/${verb}`), 404);
    });
  });

  describe('signed address', () => {
    it('is absolute, and opens the artifact without a token for 15 minutes', async () => {
      const before = Date.now();
      const { body } = await app.api.get(`${artifact}/signed-download-url`);
      const { url, expiresAt } = body as { url: string; expiresAt: number };
      expect(expiresAt).toBeGreaterThanOrEqual(before + 15 * 60_000);
      expect(expiresAt).toBeLessThanOrEqual(Date.now() + 15 * 60_000);
      expect(new URL(url).origin).toBe(app.api.origin);
      expect(url).not.toContain(app.tenant.owner.token);
      const response = await download(pathOf(new URL(url)), anonymous);
      expect(response.status).toBe(200);
      expect(bytesOf(response).equals(bundle.bytes)).toBe(true);
    });

    it('keeps the file name', async () => {
      const url = await signedUrl('?fileName=app%20%2B%20more.zip');
      const response = await download(pathOf(url), anonymous);
      expect(response.headers['content-disposition']).toBe('attachment; filename="app + more.zip"');
    });

    it('is refused when it is forged, cut short or for something else', async () => {
      const other = await uploadBundle(app);
      const forgeries: ((url: URL) => void)[] = [
        (url) => url.searchParams.delete('signature'),
        (url) => url.searchParams.delete('expiresAt'),
        (url) => url.searchParams.set('signature', ''),
        (url) => url.searchParams.set('signature', 'f'.repeat(64)),
        (url) => url.searchParams.set('signature', 'ü'.repeat(64)),
        (url) => url.searchParams.set('expiresAt', String(Date.now() + 1e9)),
        (url) => url.searchParams.set('expiresAt', '9'.repeat(15)),
        (url) => (url.pathname = `${app.path}/builds/${other.buildId}/artifacts/${other.id}/download`),
      ];
      for (const forge of forgeries) {
        const url = await signedUrl();
        forge(url);
        expectError(await anonymous.get(pathOf(url)), 401, 'not_authenticated');
      }
      const url = await signedUrl();
      url.searchParams.set('expiresAt', 'never');
      expectInvalid(await anonymous.get(pathOf(url)), 'expiresAt');
    });

    it('is refused after its time, and falls back to the token', async () => {
      const url = await signedUrl();
      const past = Date.now() - 1;
      url.searchParams.set('expiresAt', String(past));
      const key = deriveKey(ENCRYPTION_KEY, 'downloads');
      url.searchParams.set('signature', signDownload(key, bundle.id, past));
      expectError(await anonymous.get(pathOf(url)), 401, 'not_authenticated');
      expect((await download(pathOf(url))).status).toBe(200);
      const soon = Date.now() + 60_000;
      url.searchParams.set('expiresAt', String(soon));
      url.searchParams.set('signature', signDownload(key, bundle.id, soon));
      expect((await download(pathOf(url), anonymous)).status).toBe(200);
    });

    it('opens nothing in another app', async () => {
      const other = await createApp(app.tenant);
      const url = await signedUrl();
      const path = pathOf(url).replace(app.id, other.id);
      expectError(await anonymous.get(path), 404, 'build_not_found');
    });

    it('is made for those who may read', async () => {
      const billing = await createMember(app.tenant, 'billing');
      expectError(await anonymous.get(`${artifact}/signed-download-url`), 401, 'not_authenticated');
      expectError(await billing.api.get(`${artifact}/signed-download-url`), 403, 'not_authorized');
    });
  });
});
