import { randomUUID } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBuildShare } from '../../builders/build-share.js';
import { createBundle, registerBundle } from '../../builders/bundle.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { createFinishedBuild, type FinishedBuild } from '../../support/native-builds/finished-builds.js';
import { auditEvents } from '../../support/organizations/audit-log.js';

const PASSWORD = 'four unusual words';
const LATER = '2099-01-02T03:04:05.000Z';
let app: TestApp;
let build: FinishedBuild;
let shares: string;
const anonymous = new Api(testEnvironment().origin, null);

beforeEach(async () => {
  app = await createApp();
  build = await createFinishedBuild(app);
  shares = `${build.path}/shares`;
});

const stored = async (id: string): Promise<{ password_hash: string | null }[]> =>
  query(testEnvironment().databaseUrl, 'SELECT password_hash FROM build_shares WHERE id = $1', [id]);

describe('a share of a build', () => {
  it('is created without any option, and is open', async () => {
    const response = await app.api.post(shares, {});
    expect(response.status).toBe(201);
    const { id } = response.body as { id: string };
    expect(response.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      appBuildId: build.id,
      description: null,
      expiresAt: null,
      hasPassword: false,
      url: `${app.api.origin}/app-build-shares/${id}`,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
    expect((await app.api.get(shares)).body).toEqual([response.body]);
    expect((await anonymous.get(`/v1/app-build-shares/${id}`)).status).toBe(200);
  });

  it('has a description, an end and a password, of which only a hash is stored', async () => {
    const body = { description: 'For\nthe <b>testers</b> 🚀', expiresAt: LATER, password: PASSWORD };
    const response = await app.api.post(shares, body);
    const { id } = response.body as { id: string };
    expect(response.body).toMatchObject({
      description: body.description,
      expiresAt: LATER,
      hasPassword: true,
    });
    expect((await stored(id))[0]?.password_hash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify([response.body, (await app.api.get(shares)).body])).not.toContain(PASSWORD);
    const events = JSON.stringify(await auditEvents(app.tenant));
    expect(events).toContain('"type":"build-share"');
    expect(events).not.toContain('argon2id');
    expect(events).not.toContain(PASSWORD);
  });

  it('is listed with the newest first, also when it has expired', async () => {
    const ids = [];
    for (let n = 0; n < 3; n++) ids.unshift((await createBuildShare(app, build.id)).id);
    await query(
      testEnvironment().databaseUrl,
      `UPDATE build_shares SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [ids[1]],
    );
    const { body } = await app.api.get(shares);
    expect((body as { id: string }[]).map(({ id }) => id)).toEqual(ids);
  });

  it('changes field by field', async () => {
    const { id } = await createBuildShare(app, build.id, { description: 'a', password: PASSWORD });
    const update = async (changes: object): Promise<object> =>
      (await app.api.patch(`${shares}/${id}`, changes)).body as object;
    expect(await update({})).toMatchObject({ description: 'a', expiresAt: null, hasPassword: true });
    expect(await update({ expiresAt: LATER })).toMatchObject({ description: 'a', expiresAt: LATER });
    const [before] = await stored(id);
    expect(await update({ password: PASSWORD })).toMatchObject({ hasPassword: true });
    expect(await stored(id)).not.toEqual([before]);
    expect(await update({ description: null, expiresAt: null, password: null })).toMatchObject({
      description: null,
      expiresAt: null,
      hasPassword: false,
    });
  });

  it('ends when it is deleted, once', async () => {
    const { id } = await createBuildShare(app, build.id);
    expect((await app.api.delete(`${shares}/${id}`)).status).toBe(204);
    expectError(await app.api.delete(`${shares}/${id}`), 404, 'build_share_not_found');
    expectError(await anonymous.get(`/v1/app-build-shares/${id}`), 404, 'build_share_not_found');
  });

  it('goes with its build and with its app', async () => {
    const bundle = await uploadBundle(app);
    const ofBundle = await createBuildShare(app, bundle.buildId);
    expect((await app.api.delete(`${app.path}/bundles/${bundle.id}`)).status).toBe(204);
    const { id } = await createBuildShare(app, build.id);
    await app.api.delete(app.path);
    for (const gone of [ofBundle.id, id]) {
      expect(await stored(gone)).toEqual([]);
      expectError(await anonymous.get(`/v1/app-build-shares/${gone}`), 404, 'build_share_not_found');
    }
  });

  it.each<[string, unknown, string]>([
    ['a description of 1,001 characters', { description: 'x'.repeat(1001) }, 'description'],
    ['a description that is no text', { description: 5 }, 'description'],
    ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an end that is no time', { expiresAt: 'tomorrow' }, 'expiresAt'],
    ['a password of seven characters', { password: 'x'.repeat(7) }, 'password'],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, 'password'],
    ['an empty password', { password: '' }, 'password'],
    ['a password that is no text', { password: ['x'.repeat(8)] }, 'password'],
  ])('does not have %s', async (_what, body, field) => {
    expectInvalid(await app.api.post(shares, body as object), field);
    const { id } = await createBuildShare(app, build.id);
    expectInvalid(await app.api.patch(`${shares}/${id}`, body as object), field);
  });

  it('may have 1,000 characters of description, of any script', async () => {
    const description = '😀'.repeat(1000);
    expect((await app.api.post(shares, { description })).body).toMatchObject({ description });
  });

  it('has no description of megabytes', async () => {
    const response = await app.api.post(shares, { description: 'x'.repeat(5_000_000) });
    expectError(response, 413, 'too_large');
    expect((await app.api.get(shares)).body).toEqual([]);
  });
});

describe('a build that has not succeeded', () => {
  it.each(['queued', 'in_progress', 'failed', 'canceled'])('is not shared: %s', async (status) => {
    const other = await createFinishedBuild(app, [{ type: 'apk', status: 'pending' }], {}, status);
    const { message } = expectError(
      await app.api.post(`${other.path}/shares`, {}),
      409,
      'build_not_succeeded',
    );
    expect(message).toBe(`Only a build that has succeeded can be shared: this one is ${status}.`);
    expect((await app.api.get(`${other.path}/shares`)).body).toEqual([]);
  });

  it('is not shared while its bundle is being uploaded', async () => {
    const pending = await createBundle(app);
    const path = `${app.path}/builds/${pending.buildId}/shares`;
    expectError(await app.api.post(path, {}), 409, 'build_not_succeeded');
    const registered = await registerBundle(app);
    expect((await app.api.post(`${app.path}/builds/${registered.buildId}/shares`, {})).status).toBe(201);
  });
});

describe('the limit of shares', () => {
  it('is 20 for a build, exactly', async () => {
    const responses = await Promise.all(Array.from({ length: 25 }, () => app.api.post(shares, {})));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20);
    for (const response of responses) {
      if (response.status !== 201) expectError(response, 409, 'limit_reached');
    }
    const { message } = expectError(await app.api.post(shares, {}), 409, 'limit_reached');
    expect(message).toBe(
      'A build can have at most 20 shares: delete some, or ask the operator to raise MAX_SHARES_PER_BUILD.',
    );
    const other = await createFinishedBuild(app);
    expect((await app.api.post(`${other.path}/shares`, {})).status).toBe(201);
    const [first] = responses.filter(({ status }) => status === 201);
    await app.api.delete(`${shares}/${(first!.body as { id: string }).id}`);
    expect((await app.api.post(shares, {})).status).toBe(201);
  });
});

describe('who may share', () => {
  it('decides the role', async () => {
    const { id } = await createBuildShare(app, build.id);
    const [viewer, billing] = [
      await createMember(app.tenant, 'viewer'),
      await createMember(app.tenant, 'billing'),
    ];
    expect((await viewer.api.get(shares)).status).toBe(200);
    expectError(await viewer.api.post(shares, {}), 403, 'not_authorized');
    expectError(await viewer.api.patch(`${shares}/${id}`, {}), 403, 'not_authorized');
    expectError(await viewer.api.delete(`${shares}/${id}`), 403, 'not_authorized');
    expectError(await billing.api.get(shares), 403, 'not_authorized');
    expectError(await anonymous.get(shares), 401, 'not_authenticated');
  });

  it('keeps the shares of other tenants, apps and builds apart', async () => {
    const { id } = await createBuildShare(app, build.id);
    const stranger = await createTenant();
    expectError(await stranger.owner.api.get(shares), 404, 'app_not_found');
    const theirs = await createApp(stranger);
    const theirBuild = await createFinishedBuild(theirs);
    const otherApp = await createApp(app.tenant);
    const otherBuild = await createFinishedBuild(app);
    const api = app.api;
    for (const path of [`${theirBuild.path}/shares`, `${otherBuild.path}/shares`]) {
      const caller = path.startsWith(theirs.path) ? theirs.api : api;
      expectError(await caller.delete(`${path}/${id}`), 404, 'build_share_not_found');
      expectError(await caller.patch(`${path}/${id}`, { description: 'x' }), 404, 'build_share_not_found');
    }
    const swapped = `${otherApp.path}/builds/${build.id}/shares`;
    expectError(await api.get(swapped), 404, 'build_not_found');
    expectError(await api.post(swapped, {}), 404, 'build_not_found');
    expectError(await api.delete(`${swapped}/${id}`), 404, 'build_not_found');
    for (const unknown of ['unknown', uuid(), randomUUID()]) {
      expectError(await api.delete(`${shares}/${unknown}`), 404, 'build_share_not_found');
      expectError(await api.get(`${app.path}/builds/${unknown}/shares`), 404, 'build_not_found');
    }
    expect((await api.get(shares)).body).toMatchObject([{ id, description: null }]);
  });
});
