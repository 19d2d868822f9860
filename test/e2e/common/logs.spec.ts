import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { generateApiToken } from '../../../src/common/access/api-token.js';
import { VERSION } from '../../../src/config/version.js';
import { createApp } from '../../builders/app.js';
import { checkForUpdate } from '../../builders/device.js';
import { createTenant, type Site, type Tenant } from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { createRunner, queueJobs } from '../../builders/runner.js';
import { cloneDatabase, dropDatabase } from '../../setup/databases.js';
import { ENCRYPTION_KEY, type ServerProcess, startServer } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly req?: { readonly method: string; readonly path: string };
  readonly res?: { readonly status: number };
  readonly err?: { readonly message: string };
}

describe('the log', () => {
  let folder: string;
  let databaseUrl: string;
  let server: ServerProcess;
  let site: Site;
  let tenant: Tenant;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-log-'));
    databaseUrl = await cloneDatabase(testEnvironment().templateUrl);
    server = await startServer({
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      LOG_LEVEL: 'trace',
      API_DOCS: 'false',
    });
    site = { origin: server.origin, databaseUrl };
    tenant = await createTenant(site);
  });

  afterAll(async () => {
    await server.stop();
    await dropDatabase(databaseUrl);
    await rm(folder, { recursive: true, force: true });
  });

  it('belongs to a server without API description here: API_DOCS=false turns it off', async () => {
    const anonymous = new Api(site.origin, null);
    for (const path of ['/docs', '/docs/start.js', '/openapi', '/docs-json', '/docs-yaml'])
      expect((await anonymous.request('get', path)).status).toBe(404);
  });

  /** The line of a request; lines come in their order, so those of all requests before it are there too. */
  const lineOf = async (requestId: string): Promise<Line> => {
    for (;;) {
      const line = server.log.map((text) => JSON.parse(text) as Line).find((entry) => isOf(entry, requestId));
      if (line !== undefined) return line;
      // Any answer later, the line has been read.
      await new Api(site.origin, null).request('get', '/health/live');
    }
  };
  const isOf = (line: Line, requestId: string): boolean =>
    line.requestId === requestId && line.res !== undefined;

  it('has one line for each request, without the query', async () => {
    const request = tenant.owner.api.request('get', '/v1/organizations?limit=5').set('X-Request-Id', 'one');
    await request;
    expect(await lineOf('one')).toMatchObject({
      level: 30,
      req: { method: 'GET', path: '/v1/organizations' },
      res: { status: 200 },
    });
    expect(server.log.filter((line) => line.includes('"one"'))).toHaveLength(1);
  });

  it('has no line for the probes of an orchestrator', async () => {
    await new Api(site.origin, null).request('get', '/health/live').set('X-Request-Id', 'probe');
    await tenant.owner.api.request('get', '/v1/users/me').set('X-Request-Id', 'after-probe');
    await lineOf('after-probe');
    expect(server.log.some((line) => line.includes('"probe"'))).toBe(false);
  });

  it('has no line for an idle runner, unless someone debugs', async () => {
    const runner = await createRunner(tenant);
    const claim = (requestId: string): Promise<Response> =>
      runner.api
        .request('post', '/v1/runner/claims')
        .set('X-Request-Id', requestId)
        .send({ sessionId: runner.sessionId, claimId: randomUUID() });
    expect((await claim('idle')).status).toBe(204);
    expect(await lineOf('idle')).toMatchObject({ level: 20, res: { status: 204 } });
    await queueJobs(await createApp(tenant), 1, {}, site);
    expect((await claim('busy')).status).toBe(200);
    expect(await lineOf('busy')).toMatchObject({ level: 30, res: { status: 200 } });
  });

  it('begins with the version', () => {
    const listening = server.log.find((line) => line.includes('"Listening"')) ?? '{}';
    expect(JSON.parse(listening)).toMatchObject({ level: 30, version: VERSION });
  });

  it('never holds a token, a key, a signature or a person', async () => {
    const { api, token, email } = tenant.owner;
    const anonymous = new Api(site.origin, null);
    const other = generateApiToken();
    const app = await createApp(tenant);
    const bundle = await uploadBundle(app);
    const artifact = `${app.path}/builds/${bundle.buildId}/artifacts/${bundle.id}`;
    const { body } = await api.get(`${artifact}/signed-download-url`);
    const signed = new URL((body as { url: string }).url);
    const secrets = [
      token,
      other,
      email,
      ENCRYPTION_KEY,
      new URL(databaseUrl).password,
      signed.searchParams.get('signature') ?? '',
      'device-0815',
      'customer-0816',
      'name-0817',
    ].filter((secret) => secret !== '');

    await anonymous.request('get', `/v1/users/me?access_token=${token}`);
    await anonymous.request('get', `/v1/nothing?access_token=${token}`);
    await anonymous.request('get', `/v1/users/me?token=${token}`);
    await anonymous.request('post', app.path).send({ access_token: token });
    await anonymous.request('post', `${app.path}/channels`).send({ name: token, access_token: token });
    await anonymous
      .request('post', `${app.path}/channels`)
      .set('Content-Type', 'application/json')
      .send(`{${token}`);
    await api
      .request('patch', `${app.path}/channels/x`)
      .set('Content-Type', 'application/json')
      .send(`[${token}`);
    await new Api(site.origin, other).request('get', '/v1/users/me');
    await new Api(site.origin, `${token}x`).request('get', '/v1/users/me');
    await anonymous.request('get', '/v1/users/me').set('Authorization', token);
    await anonymous.request('get', '/v1/users/me').set('Cookie', `token=${token}`);
    await anonymous.request('get', signed.pathname + signed.search);
    await api.request('post', `${app.path}/channels`).send({ name: 'name-0817' });
    await api.request('post', `${app.path}/channels`).send({ name: 'name-0817' });
    await checkForUpdate(app, { deviceId: 'device-0815', customId: 'customer-0816' });
    await api.request('get', '/v1/users/me').set('X-Request-Id', 'last');
    await lineOf('last');

    expect(secrets.length).toBeGreaterThan(7);
    for (const secret of secrets) expect(server.log.filter((line) => line.includes(secret))).toEqual([]);
    expect(server.log.join()).toContain(`${app.path}/channels`);
  });

  it('has no error after all that', () => {
    const lines = server.log.map((text) => JSON.parse(text) as Line);
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  });
});
