import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
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
  site = await OwnSite.start({ SHUTDOWN_DELAY_SECONDS: '1', KEEP_ALIVE_SECONDS: '90' });
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

it('responds to requests that arrive on kept connections after the listener has closed', async () => {
  const connections = await Promise.all(Array.from({ length: 3 }, () => Connection.open(site.origin)));
  const [check, invalid, unused] = connections as [Connection, Connection, Connection];
  for (const connection of [check, invalid]) {
    expect(await connection.get('/health/live')).toMatch(/^HTTP\/1.1 200 [^]*\r\nKeep-Alive: timeout=90\r\n/);
  }
  const stopped = site.server.stop();
  await eventually(() => expect(fetch(`${site.origin}/health/live`)).rejects.toThrow('fetch failed'));
  // The fast path and an early rejection have no part in the shutdown.
  const query = `deviceId=${randomUUID()}&appVersionCode=1&appVersionName=1&osVersion=1&platform=0&pluginVersion=8`;
  expect(await check.get(`${app.path}/bundles/latest?${query}`)).toMatch(closing(404));
  expect(await invalid.get('/%')).toMatch(closing(400));
  await unused.closed;
  expect(await stopped).toBe(0);
});

it('resets no connection that it has accepted', async () => {
  const reasons = new Set<string>();
  const client = async (): Promise<void> => {
    for (;;) {
      const request = httpRequest(`${site.origin}/health/live`, { method: 'POST', agent: false }).end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await buffer(response);
    }
  };
  const clients = Array.from({ length: 30 }, () =>
    client().catch((error: NodeJS.ErrnoException) => reasons.add(error.code ?? error.message)),
  );
  await eventually(async () => expect((await fetch(`${site.origin}/health/live`)).status).toBe(200));
  expect(await site.server.stop()).toBe(0);
  await Promise.all(clients);
  expect([...reasons]).toEqual(['ECONNREFUSED']);
});

it('ends at once at a second signal, with requests in progress', async () => {
  await beginUpload();
  site.server.process.kill('SIGTERM');
  // Those that follow at once are the same one.
  await eventually(() => {
    site.server.process.kill('SIGTERM');
    expect(site.server.process.exitCode).toBe(143);
  });
});

it('ends requests that take longer than SHUTDOWN_TIMEOUT_SECONDS', async () => {
  await site.restart({ SHUTDOWN_TIMEOUT_SECONDS: '1' });
  tenant = await createTenant(site);
  app = await createApp(tenant);
  const { response } = await beginUpload();
  expect(await site.server.stop()).toBe(0);
  await expect(response).rejects.toThrow('socket hang up');
});

/** Begins an upload that never ends. @returns its response, which rejects when its connection is closed */
async function beginUpload(): Promise<{ readonly response: Promise<unknown> }> {
  const upload = httpRequest(`${site.origin}${(await createBundle(app)).path}/files`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tenant.owner.token}`,
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': MIB,
    },
  });
  upload.write('--b\r\n');
  const response = once(upload, 'response');
  response.catch(() => undefined);
  await eventually(() => expect(upload.socket?.bytesWritten).toBeGreaterThan(0));
  return { response };
}

const closing = (status: number): RegExp => new RegExp(`^HTTP/1.1 ${status} [^]*\r\nConnection: close\r\n`);

/** A connection as a load balancer keeps it. */
class Connection {
  readonly closed: Promise<unknown>;

  private constructor(private readonly socket: Socket) {
    this.closed = once(socket, 'close');
  }

  static async open(origin: string): Promise<Connection> {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Sends a request. @returns the beginning of the response with its headers */
  async get(path: string): Promise<string> {
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const [data] = (await once(this.socket, 'data')) as [Buffer];
    return data.toString();
  }
}
