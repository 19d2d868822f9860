import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/http/api.js';
import { cleanStorage, expectCleanable, expectIntegrity } from '../support/live-updates/integrity.js';
import { Publishers } from '../support/live-updates/publishers.js';
import {
  announce,
  beginUpload,
  completeUpload,
  MANIFEST,
  manifestOf,
  postFile,
  publish,
  putPart,
} from '../support/live-updates/uploads.js';
import { OwnSite } from '../support/servers/own-site.js';
import { sha256 } from '../support/sha256.js';

const MIB = 1024 * 1024;

let site: OwnSite;
let app: TestApp;
let api: Api;

beforeAll(async () => {
  site = await OwnSite.start();
  app = await createApp(await createTenant(site));
  ({ api } = app);
});
afterAll(() => site.dispose());

async function killAndRestart(): Promise<void> {
  await site.server.kill();
  await site.restart();
  api = new Api(site.origin, app.api.token);
}

it.each([
  ['copied', 3],
  ['joined without copying', 6],
])('completes an upload after it was killed while its parts are %s', async (_how, megabytes) => {
  const bundle = await createBundle({ ...app, api });
  const uploads = await Promise.all(
    Array.from({ length: 4 }, async (_, i) => {
      const contents = Array.from({ length: 3 }, () => randomBytes(megabytes * MIB));
      const content = Buffer.concat(contents);
      const file = await announce(bundle, content, { href: `${i}.bin` });
      const upload = await beginUpload(api, file);
      await Promise.all(contents.map((part, n) => putPart(api, file, upload, n + 1, part)));
      return {
        content,
        file,
        upload,
        parts: contents.map((c, n) => ({ etag: sha256(c), partNumber: n + 1 })),
      };
    }),
  );
  const completeAll = () =>
    uploads.map(({ file, upload, parts }) => completeUpload(api, file, upload, parts));
  const first = Promise.allSettled(completeAll());
  // Joining takes a few milliseconds: any of them will do.
  if (megabytes === 6) await sleep(randomInt(0, 40));
  else await eventually(async () => expect(await site.incoming()).not.toEqual([]));
  await killAndRestart();
  await first;
  await expectIntegrity(site);

  // What is in progress is not taken for garbage, whether the last attempt came through or not.
  await cleanStorage(site, '--delete');
  const responses = await Promise.all(completeAll());
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const files = Object.fromEntries(uploads.map(({ content }, i) => [`${i}.bin`, content]));
  const again = { ...bundle, api };
  await postFile(again, '<html>', { href: 'index.html' });
  await postFile(again, manifestOf({ ...files, 'index.html': '<html>' }), { href: MANIFEST });
  expect((await publish(again)).status).toBe(200);
  await expectIntegrity(site);
});

it('publishes each bundle as a whole or not at all, whenever it is killed', async () => {
  for (let round = 0; round < 3; round++) {
    const publishers = new Publishers({ ...app, api }, 6);
    const wanted = randomInt(1, 6);
    await eventually(() => expect(publishers.confirmed.length).toBeGreaterThanOrEqual(wanted));
    // Any moment will do.
    await sleep(randomInt(0, 100));
    await site.server.kill();
    await publishers.stop();
    await site.restart();
    api = new Api(site.origin, app.api.token);
    const ready = await site.query<{ id: string }>("SELECT id FROM build_artifacts WHERE status = 'ready'");
    expect(ready.map(({ id }) => id)).toEqual(expect.arrayContaining(publishers.confirmed));
    await expectIntegrity(site);
  }
  await expectCleanable(site);
  await expectIntegrity(site);
});
