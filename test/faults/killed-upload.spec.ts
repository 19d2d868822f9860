import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/http/api.js';
import { fileParts, form } from '../support/http/multipart.js';
import { cleanStorage, expectCleanable, expectIntegrity } from '../support/live-updates/integrity.js';
import { MANIFEST, manifestOf, postFile, publish } from '../support/live-updates/uploads.js';
import { OwnSite } from '../support/servers/own-site.js';

const MIB = 1024 * 1024;

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start();
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

it('leaves nothing but abandoned writes when it is killed in the middle of uploads', async () => {
  const bundle = await createBundle(app);
  await postFile(bundle, 'earlier', { href: 'index.html' });
  const { contentType, body } = form(fileParts(randomBytes(2 * MIB), { href: 'index.html' }));
  for (let i = 0; i < 3; i++) {
    const request = httpRequest(`${site.origin}${bundle.path}/files`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${app.api.token}`,
        'Content-Type': contentType,
        'Content-Length': body.length,
      },
    });
    request.on('error', () => undefined);
    request.write(body.subarray(0, MIB));
  }
  await eventually(async () => expect(await site.incoming()).toHaveLength(3));
  await site.server.kill();
  await site.restart();
  expect(await site.incoming()).toHaveLength(3);
  expect(await cleanStorage(site, '--delete')).toEqual([
    'Deleted 0 abandoned writes, 0 unfinished uploads and 0 orphans older than 24 hours.',
  ]);
  expect((await cleanStorage(site, '--older-than-hours', '0'))[0]).toBe(
    'Found 3 abandoned writes, 0 unfinished uploads and 0 orphans older than 0 hours.',
  );
  expect(await site.incoming()).toHaveLength(3);
  await expectIntegrity(site);
  await expectCleanable(site);

  const again = { ...bundle, api: new Api(site.origin, app.api.token) };
  await postFile(again, manifestOf({ 'index.html': 'earlier' }), { href: MANIFEST });
  expect((await publish(again)).status).toBe(200);
  await expectIntegrity(site);
});
