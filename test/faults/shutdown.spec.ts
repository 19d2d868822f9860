import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { fileParts, form } from '../support/http/multipart.js';
import { zipOf } from '../support/live-updates/archives.js';
import { postFile, publish } from '../support/live-updates/uploads.js';
import { OwnSite } from '../support/servers/own-site.js';

const MIB = 1024 * 1024;

let site: OwnSite;
let tenant: Tenant;
let app: TestApp;
let bundle: TestBundle;

beforeEach(async () => {
  site = await OwnSite.start({ SHUTDOWN_DELAY_SECONDS: '1' });
  tenant = await createTenant(site);
  app = await createApp(tenant);
  bundle = await createBundle(app, { artifactType: 'zip' });
});
afterEach(() => site.dispose());

it('finishes what it has begun and then ends', async () => {
  // More than the buffers between the two hold.
  const content = await zipOf({ 'index.html': '<html>', 'video.bin': randomBytes(40 * MIB) });
  await postFile(bundle, content, {});
  expect((await publish(bundle)).status).toBe(200);
  const download = httpRequest(`${site.origin}${bundle.path}/download`).end();
  const [downloading] = (await once(download, 'response')) as [IncomingMessage];

  const second = await createBundle(app);
  const { contentType, body } = form(fileParts(randomBytes(2 * MIB), { href: 'app.js' }));
  const upload = httpRequest(`${site.origin}${second.path}/files`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tenant.owner.token}`,
      'Content-Type': contentType,
      'Content-Length': body.length,
    },
  });
  upload.write(body.subarray(0, MIB));
  await eventually(async () => expect(await site.incoming()).toHaveLength(1));

  const stopped = site.server.stop();
  await eventually(async () => {
    const response = await fetch(`${site.origin}/health/ready`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ status: 503, code: 'unavailable' });
  });
  // Load balancers have not noticed yet.
  const late = await fetch(`${site.origin}/health/live`);
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
  expect((await fetch(`${site.origin}/v1/users/me`)).status).toBe(401);
  // Then nothing new is accepted.
  await eventually(() => expect(fetch(`${site.origin}/health/live`)).rejects.toThrow('fetch failed'));

  upload.end(body.subarray(MIB));
  const [uploaded] = (await once(upload, 'response')) as [IncomingMessage];
  uploaded.resume();
  expect(uploaded.statusCode).toBe(201);
  expect((await buffer(downloading)).equals(content)).toBe(true);
  expect(await stopped).toBe(0);
  await site.expectTidy();
});

it('is not held up by connections that are kept alive', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = async (): Promise<void> => {
    const request = httpRequest(`${site.origin}/health/live`, { agent }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
  };
  await call();
  let code: number | null | undefined;
  const busy = (async () => {
    while (code === undefined) await call();
  })().catch((error: unknown) => error);
  code = await site.server.stop();
  expect(code).toBe(0);
  expect(await busy).toMatchObject({ code: expect.stringMatching(/^ECONN(REFUSED|RESET)$/) as string });
  agent.destroy();
});
