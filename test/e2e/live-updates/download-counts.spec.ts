import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle } from '../../builders/bundle.js';
import { createTenant } from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { daysAgo } from '../../support/live-updates/insights.js';
import { MANIFEST, manifestOf, postFile, publish } from '../../support/live-updates/uploads.js';
import { OwnSite } from '../../support/servers/own-site.js';

/** Each bundle of `uploadBundle` is installed by the emulators of Android, iOS and Electron first. */
const EMULATORS = 3;

interface Downloads {
  readonly day: string;
  readonly bundleId: string;
  readonly kind: string;
  readonly downloads: number;
  readonly bytes: number;
}

async function downloadsOf(app: TestApp, search = ''): Promise<Downloads[]> {
  const { status, body } = await app.api.get(`${app.path}/insights/downloads?${search}`);
  expect(status).toBe(200);
  return body as Downloads[];
}

async function download(
  app: TestApp,
  bundleId: string,
  search = '',
  init: RequestInit = {},
): Promise<Response> {
  const response = await fetch(`${app.api.origin}${app.path}/bundles/${bundleId}/download${search}`, init);
  await response.arrayBuffer();
  return response;
}

it('counts what devices and people download, each by itself and together', async () => {
  const app = await createApp();
  const { id, buildId, bytes } = await uploadBundle(app);
  const responses = await Promise.all(Array.from({ length: 7 }, () => download(app, id)));
  const etag = responses[0]?.headers.get('etag') ?? '';
  // None of these is a download.
  const anyone = new Api(app.api.origin, null);
  const again = anyone.request('get', `${app.path}/bundles/${id}/download`).set('If-None-Match', etag);
  expect((await again).status).toBe(304);
  await download(app, id, '', { method: 'HEAD' });
  expect((await download(app, id, '?href=index.html')).status).toBe(404);
  const artifacts = `${app.path}/builds/${buildId}/artifacts`;
  await app.api.request('get', `${artifacts}/${id}/download`);
  await app.api.request('head', `${artifacts}/${id}/download`);
  const day = daysAgo(0);
  await eventually(async () =>
    expect(await downloadsOf(app)).toEqual([
      { day, bundleId: id, kind: 'artifact', downloads: 1, bytes: bytes.length },
      {
        day,
        bundleId: id,
        kind: 'zip',
        downloads: 7 + EMULATORS,
        bytes: (7 + EMULATORS) * bytes.length,
      },
    ]),
  );
  expect((await app.api.get(artifacts)).body).toMatchObject([{ id, totalDownloads: 8 + EMULATORS }]);
});

it('counts the files of a manifest apart from the manifest', async () => {
  const app = await createApp();
  const bundle = await createBundle(app);
  const manifest = manifestOf({ 'app.js': 'content', 'index.html': 'page' });
  await postFile(bundle, 'page', { href: 'index.html' });
  await postFile(bundle, 'content', { href: 'app.js' });
  await postFile(bundle, manifest, { href: MANIFEST });
  expect((await publish(bundle)).status).toBe(200);
  const bundleId = bundle.id;
  await download(app, bundleId, `?href=${MANIFEST}`);
  for (let i = 0; i < 3; i++) await download(app, bundleId, '?href=app.js');
  await eventually(async () =>
    expect(await downloadsOf(app, `bundleId=${bundleId}`)).toMatchObject([
      { bundleId, kind: 'file', downloads: 3, bytes: 21 },
      { bundleId, kind: 'manifest', downloads: 1, bytes: Buffer.byteLength(manifest) },
    ]),
  );
  const second = await downloadsOf(app, 'limit=1&offset=1');
  expect(second).toMatchObject([{ kind: 'manifest' }]);
});

it('loses nothing when the server is stopped, and does not mind bundles that are gone', async () => {
  const site = await OwnSite.start();
  try {
    const tenant = await createTenant(site);
    const app = await createApp(tenant);
    const gone = await createApp(tenant);
    const [{ id, bytes }, deleted] = [await uploadBundle(app), await uploadBundle(gone)];
    await download(gone, deleted.id);
    for (let i = 0; i < 5; i++) await download(app, id);
    await app.api.delete(gone.path);
    expect(await site.server.stop()).toBe(0);
    await site.restart();
    const api = new Api(site.origin, tenant.owner.token);
    expect((await api.get(`${app.path}/insights/downloads`)).body).toEqual([
      {
        day: daysAgo(0),
        bundleId: id,
        kind: 'zip',
        downloads: 5 + EMULATORS,
        bytes: (5 + EMULATORS) * bytes.length,
      },
    ]);
  } finally {
    await site.dispose();
  }
});
