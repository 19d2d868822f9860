import { createApp, type TestApp } from '../../builders/app.js';
import { certificateParts, createCertificate, pem } from '../../builders/certificate.js';
import { createEnvironment, type TestEnvironment } from '../../builders/environment.js';
import { createGitConnection } from '../../builders/git-connection.js';
import { createMember, type TestMember } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { GitServer, hasGit } from '../../support/git/git-server.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { form, send } from '../../support/http/multipart.js';
import { grantLease, linesBeforeSummary, readJob, type TestLease } from '../../support/jobs/leases.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { announceArtifact, finishJob, takeJob, uploadArtifact } from '../../support/native-builds/leases.js';
import { beginUpload, completeUpload, putPart } from '../../support/live-updates/uploads.js';
import { uploadSource } from '../../support/native-builds/sources.js';

interface StartedBuild {
  readonly id: string;
  readonly jobId: string;
}

const SECRET = 'very-secret-value';
let app: TestApp;
let admin: TestMember;
let source: string;

beforeAll(async () => {
  app = await createApp();
  admin = await createMember(app.tenant, 'admin');
  source = await uploadSource(app);
});

async function environmentWithSecret(values: object = {}, own = app): Promise<TestEnvironment> {
  const environment = await createEnvironment(own, values);
  await own.api.post(`${environment.path}/secrets`, { key: 'NPM_TOKEN', value: SECRET });
  return environment;
}

async function start(values: object, actor: Pick<TestMember, 'api'> = admin): Promise<StartedBuild> {
  const body = { platform: 'web', appBuildSourceId: source, ...values };
  return expectCreated(await actor.api.post(`${app.path}/builds`, body));
}

const payloadOf = ({ api }: TestLease) => api.get('/v1/runner/job/payload');

/** The runner gets nothing and loses its job, which has failed with the reason. */
async function expectLost(lease: TestLease, reason: RegExp | string, own = app): Promise<void> {
  const response = await payloadOf(lease);
  expectError(response, 410, 'lease_lost');
  expect(response.headers['x-job-status']).toBe('lost');
  expect(JSON.stringify(response.body)).not.toContain(SECRET);
  const job = await readJob(own, lease.jobId);
  expect(job).toMatchObject({
    status: 'failed',
    statusMessage: typeof reason === 'string' ? reason : (expect.stringMatching(reason) as string),
  });
  expect(linesBeforeSummary(job)).toEqual([job['statusMessage']]);
  expectError(await finishJob(lease, 'failed'), 410, 'lease_lost');
}

function connectionTo({ origin }: GitServer): object {
  const credentials = { authKind: 'basic', username: 'ada', token: undefined, password: 'pw' };
  return { provider: 'git_http', baseUrl: origin, ...credentials };
}

async function setRole({ memberId }: TestMember, role: string): Promise<void> {
  const { databaseUrl } = testEnvironment();
  await query(databaseUrl, 'UPDATE members SET role = $2 WHERE id = $1', [memberId, role]);
}

(hasGit ? describe : describe.skip)('a build of a git ref', () => {
  let git: GitServer;
  let linked: TestApp;

  beforeAll(async () => {
    git = await GitServer.start({ credentials: 'ada:pw' });
    git.create('shop.git');
    const commit = git.commit('shop.git', 'main', 'First');
    git.git('shop.git', ['tag', 'v1']);
    git.git('shop.git', ['update-ref', 'refs/heads/feature', commit]);
    linked = await createApp();
    await link();
  });
  afterAll(() => git.stop());

  async function link(): Promise<void> {
    const connection = await createGitConnection(linked.tenant, connectionTo(git));
    const body = { gitConnectionId: connection.id, path: 'shop.git' };
    expect((await linked.api.put(`${linked.path}/repository`, body)).status).toBe(200);
  }

  const startOf = async (gitRef: string, values: object = {}): Promise<StartedBuild> =>
    expectCreated(await linked.api.post(`${linked.path}/builds`, { platform: 'web', gitRef, ...values }));

  it('says whether it is one of the default branch', async () => {
    const isDefault = async (ref: string): Promise<unknown> => {
      const lease = await takeJob((await startOf(ref)).jobId);
      const { body } = await payloadOf(lease);
      await finishJob(lease, 'failed');
      return (body as { build: { isDefaultBranch: boolean } }).build.isDefaultBranch;
    };
    expect(await isDefault('main')).toBe(true);
    expect(await isDefault('refs/heads/main')).toBe(true);
    for (const ref of ['feature', 'v1', git.git('shop.git', ['rev-parse', 'main'])]) {
      expect(await isDefault(ref)).toBe(false);
    }
  });

  it('gets the credential, and the submodules that it is for', async () => {
    const submoduleRepositories = ['acme/shared-ui.git'];
    const changed = await linked.api.patch(`${linked.path}/repository`, {
      submoduleRepositories,
      gitDepth: 50,
    });
    expect(changed.status).toBe(200);
    const lease = await takeJob((await startOf('main')).jobId);
    const { body } = await payloadOf(lease);
    await finishJob(lease, 'failed');
    const authorization = `Basic ${Buffer.from('ada:pw').toString('base64')}`;
    expect(body).toMatchObject({
      source: {
        type: 'git',
        url: `${git.origin}/shop.git`,
        ref: 'main',
        fullRef: 'refs/heads/main',
        depth: 50,
        credential: { authorization, submoduleRepositories, hasExactPaths: true },
      },
      masks: expect.arrayContaining([authorization.slice('Basic '.length)]),
    });
    // Runners that do not know the list find no credential at the place where they look.
    expect((body as { source: object }).source).not.toHaveProperty('authorization');
  });

  it('writes the cache of its environment only if it has no variables of its own', async () => {
    const cacheOf = async (ref: string, values: object = {}): Promise<unknown> => {
      const lease = await takeJob((await startOf(ref, values)).jobId);
      const { body } = await payloadOf(lease);
      await finishJob(lease, 'failed');
      const { cacheKey, mayWriteCache } = (body as { build: Record<string, unknown> }).build;
      return { cacheKey, mayWriteCache };
    };
    const { id } = await environmentWithSecret({}, linked);
    expect(await cacheOf('main')).toEqual({ cacheKey: 'none', mayWriteCache: true });
    expect(await cacheOf('main', { appEnvironmentId: id })).toEqual({ cacheKey: id, mayWriteCache: true });
    expect(await cacheOf('feature')).toEqual({ cacheKey: 'none', mayWriteCache: false });
    const adHocEnvironmentVariables = { NODE_OPTIONS: '--import=data:text/javascript,' };
    expect(await cacheOf('main', { adHocEnvironmentVariables })).toEqual({
      cacheKey: 'none',
      mayWriteCache: false,
    });
  });

  it('begins without caches if it says so, or after the app has dropped them', async () => {
    const cachesOf = async (values: object): Promise<unknown> => {
      const lease = await takeJob((await startOf('main', values)).jobId);
      const { body } = await payloadOf(lease);
      await finishJob(lease, 'failed');
      const { cacheKey, noCache } = (body as { build: Record<string, unknown> }).build;
      return { cacheKey, noCache };
    };
    expect(await cachesOf({})).toEqual({ cacheKey: 'none', noCache: false });
    expect(await cachesOf({ noCache: true })).toEqual({ cacheKey: 'none', noCache: true });
    const { id } = await environmentWithSecret({}, linked);
    expect((await linked.api.delete(`${linked.path}/build-caches`)).status).toBe(204);
    expect(await cachesOf({ noCache: null })).toEqual({ cacheKey: 'none-v1', noCache: false });
    expect(await cachesOf({ appEnvironmentId: id })).toEqual({ cacheKey: `${id}-v1`, noCache: false });
    const response = await linked.api.post(`${linked.path}/builds`, {
      platform: 'web',
      gitRef: 'main',
      noCache: 'yes',
    });
    expect([response.status, response.body]).toMatchObject([400, { errors: [{ field: 'noCache' }] }]);
  });

  it('gets what its branch may use, until other branches are allowed only', async () => {
    const environment = await environmentWithSecret({ allowedRefs: ['refs/heads/main'] }, linked);
    const used = { appEnvironmentId: environment.id };
    const [first, second] = [await startOf('main', used), await startOf('main', used)];
    const lease = await takeJob(first.jobId);
    expect((await payloadOf(lease)).body).toMatchObject({ secrets: { NPM_TOKEN: SECRET } });
    await finishJob(lease, 'failed');
    await linked.api.patch(environment.path, { allowedRefs: ['release/*', 'refs/tags/main'] });
    await expectLost(
      await takeJob(second.jobId),
      `The build may not use the environment ${environment.name} any more: only builds from these branches and tags can: release/*, refs/tags/main.`,
      linked,
    );
  });

  it('of a tag named like an allowed branch is refused, with the pattern to add', async () => {
    git.git('shop.git', ['update-ref', 'refs/tags/release', git.git('shop.git', ['rev-parse', 'main'])]);
    const environment = await environmentWithSecret({ allowedRefs: ['release', 'v*'] }, linked);
    const certificate = await createCertificate(linked, { allowedRefs: 'v1' });
    const startTag = (gitRef: string, used: object) =>
      linked.api.post(`${linked.path}/builds`, { platform: 'web', gitRef, ...used });
    const used = { appEnvironmentId: environment.id };
    expect(expectError(await startTag('release', used), 403, 'use_restricted').message).toBe(
      `The environment ${environment.name} can only be used by builds from these branches and tags: release, v*. To allow this build, add refs/tags/release to allowedRefs.`,
    );
    for (const refused of [
      await startTag('v1', used),
      await startTag('v1', { appCertificateId: certificate.id }),
    ]) {
      const { message } = expectError(refused, 403, 'use_restricted');
      expect(message).toMatch(/ add refs\/tags\/v\* to allowedRefs\.$/);
    }
    await linked.api.patch(environment.path, { allowedRefs: ['refs/tags/v*'] });
    await startOf('v1', used);
  });

  it('may use a new protected environment from the default branch only', async () => {
    const environment = await environmentWithSecret({ protected: true }, linked);
    expect((await linked.api.get(environment.path)).body).toMatchObject({ allowedRefs: ['refs/heads/main'] });
    const used = { appEnvironmentId: environment.id };
    await startOf('HEAD', used);
    const body = { platform: 'web', gitRef: 'feature', ...used };
    expectError(await linked.api.post(`${linked.path}/builds`, body), 403, 'use_restricted');
    const open = await createEnvironment(linked, { protected: true, allowedRefs: [] });
    for (const { path } of [open, await createEnvironment(linked)]) {
      expect((await linked.api.get(path)).body).toMatchObject({ allowedRefs: [] });
    }
  });

  it('has an environment that must say its branches when the default branch cannot be read', async () => {
    const away = await createApp(linked.tenant);
    const connection = await createGitConnection(linked.tenant, connectionTo(git));
    git.create('away.git');
    const target = { gitConnectionId: connection.id, path: 'away.git' };
    expect((await away.api.put(`${away.path}/repository`, target)).status).toBe(200);
    const create = (values: object) =>
      away.api.post(`${away.path}/environments`, { name: 'production', protected: true, ...values });
    // An empty repository has no branch yet.
    const refused = expectInvalid(await create({}), 'allowedRefs');
    expect(refused.message).toMatch(/^allowedRefs is required, because the default branch/);
    expect((await create({ allowedRefs: ['refs/heads/main'] })).status).toBe(201);
    await linked.api.patch(`/v1/organizations/${linked.tenant.organizationId}`, {
      restrictCertificates: true,
    });
    const parts = form(certificateParts());
    expectInvalid(await send(away.api, 'post', `${away.path}/certificates`, parts), 'allowedRefs');
    await linked.api.patch(`/v1/organizations/${linked.tenant.organizationId}`, {
      restrictCertificates: false,
    });
  });

  it('may use a new certificate from the default branch only where certificates are restricted', async () => {
    const organization = `/v1/organizations/${linked.tenant.organizationId}`;
    const refsOf = async (...parts: Parameters<typeof certificateParts>): Promise<unknown> => {
      const { id } = await createCertificate(linked, ...parts);
      const { body } = await linked.api.get(`${linked.path}/certificates/${id}`);
      return (body as { allowedRefs: unknown }).allowedRefs;
    };
    expect(await refsOf({ protected: 'true' })).toEqual([]);
    const { body } = await linked.api.patch(organization, { restrictCertificates: true });
    expect(body).toMatchObject({ restrictCertificates: true });
    expect(await refsOf()).toEqual(['refs/heads/main']);
    expect(await refsOf({ allowedRefs: '' })).toEqual([]);
    await linked.api.patch(organization, { restrictCertificates: false });
  });

  it('does not get the credentials of a connection that is for another user by now', async () => {
    const { jobId } = await startOf('main');
    const other = await createMember(linked.tenant, 'admin');
    const restricted = await createGitConnection(
      linked.tenant,
      { ...connectionTo(git), restricted: true },
      other,
    );
    const body = { gitConnectionId: restricted.id, path: 'shop.git' };
    expect((await other.api.put(`${linked.path}/repository`, body)).status).toBe(200);
    const reason = `The build may not use the git connection ${restricted.name} any more: only its creator can.`;
    await expectLost(await takeJob(jobId), reason, linked);
    await link();
  });

  it('with variables of its own gets it only while its creator may use it', async () => {
    const environment = await environmentWithSecret({ allowedRefs: ['main'] }, linked);
    const creator = await createMember(linked.tenant, 'admin');
    const body = {
      platform: 'web',
      gitRef: 'main',
      appEnvironmentId: environment.id,
      adHocEnvironmentVariables: { STAGE: 'nightly' },
    };
    const { jobId } = expectCreated<StartedBuild>(await creator.api.post(`${linked.path}/builds`, body));
    await setRole(creator, 'member');
    await expectLost(await takeJob(jobId), /lacks the permission environments:use\.$/, linked);
  });
});

describe('a build whose environment was restricted since', () => {
  it('fails when it is claimed, also at the second attempt', async () => {
    const environment = await environmentWithSecret();
    const { jobId } = await start({ appEnvironmentId: environment.id });
    const first = await takeJob(jobId);
    expect((await payloadOf(first)).body).toMatchObject({ secrets: { NPM_TOKEN: SECRET } });
    // As if the runner had been lost.
    const { databaseUrl } = testEnvironment();
    await query(databaseUrl, 'DELETE FROM job_leases WHERE job_id = $1', [jobId]);
    await query(databaseUrl, `UPDATE jobs SET status = 'queued' WHERE id = $1`, [jobId]);
    await app.api.patch(environment.path, { allowedRefs: ['main'] });
    const second = await takeJob(jobId);
    expect(second.attempt).toBe(2);
    await expectLost(second, /only builds from these branches and tags can: main\.$/);
  });

  it('fails before it has started', async () => {
    const environment = await environmentWithSecret();
    const { jobId } = await start({ appEnvironmentId: environment.id });
    await app.api.patch(environment.path, { allowedRefs: ['main'] });
    const lease = await grantLease(jobId);
    await expectLost(lease, /^The build may not use the environment/);
  });

  it('goes on when the restrictions allow it', async () => {
    const environment = await environmentWithSecret();
    const { jobId } = await start({ appEnvironmentId: environment.id });
    await app.api.patch(environment.path, { protected: true });
    const lease = await takeJob(jobId);
    expect((await payloadOf(lease)).status).toBe(200);
  });
});

describe('a build of a user', () => {
  const startAs = async (actor: TestMember): Promise<TestLease> => {
    const environment = await environmentWithSecret({ protected: true });
    return takeJob((await start({ appEnvironmentId: environment.id }, actor)).jobId);
  };

  it('whose role may not use the environment any more fails', async () => {
    const creator = await createMember(app.tenant, 'admin');
    const lease = await startAs(creator);
    await setRole(creator, 'member');
    await expectLost(lease, /: the user who started it lacks the permission environments:use\.$/);
  });

  it('who has left the organization fails', async () => {
    const creator = await createMember(app.tenant, 'admin');
    const lease = await startAs(creator);
    await app.api.delete(`/v1/organizations/${app.tenant.organizationId}/members/${creator.memberId}`);
    await expectLost(lease, /: the user who started it cannot see the app any more\.$/);
  });

  it('who was deleted fails', async () => {
    const creator = await createMember(app.tenant, 'admin');
    const lease = await startAs(creator);
    await query(testEnvironment().databaseUrl, 'DELETE FROM users WHERE id = $1', [creator.userId]);
    await expectLost(lease, /: the user who started it was deleted\.$/);
  });

  it('who has left gets what is not restricted', async () => {
    const creator = await createMember(app.tenant, 'admin');
    const environment = await environmentWithSecret();
    const lease = await takeJob((await start({ appEnvironmentId: environment.id }, creator)).jobId);
    await setRole(creator, 'viewer');
    expect((await payloadOf(lease)).status).toBe(200);
  });
});

describe('an environment whose secrets have more lines than logs are searched for', () => {
  const manyLines = Array.from({ length: 1000 }, (_, n) => `line ${n}`).join('\n');
  const full = async (): Promise<TestEnvironment> => {
    const environment = await environmentWithSecret();
    await app.api.post(`${environment.path}/secrets`, { key: 'LINES', value: manyLines });
    return environment;
  };
  /** As environments from before there was a limit. */
  const join = async (environment: TestEnvironment): Promise<void> => {
    const other = await createEnvironment(app);
    await app.api.post(`${other.path}/secrets`, { key: 'MORE', value: manyLines });
    const { databaseUrl } = testEnvironment();
    const sql = 'UPDATE environment_secrets SET environment_id = $2 WHERE environment_id = $1';
    await query(databaseUrl, sql, [other.id, environment.id]);
  };
  const sentence = /^The secrets of the environment .+ can have at most 1500 lines in all, not 2001: /;

  it('cannot be used by a new build', async () => {
    const environment = await full();
    await join(environment);
    const body = { platform: 'web', appBuildSourceId: source, appEnvironmentId: environment.id };
    const refused = await admin.api.post(`${app.path}/builds`, body);
    expect(expectError(refused, 409, 'environment_full').message).toMatch(sentence);
  });

  it('fails a build that exists', async () => {
    const environment = await full();
    const { jobId } = await start({ appEnvironmentId: environment.id });
    await join(environment);
    await expectLost(await takeJob(jobId), sentence);
  });
});

it('gives a build no more secrets than can be masked, however often they change', async () => {
  const environment = await createEnvironment(app);
  const setLines = (round: number) =>
    app.api.post(`${environment.path}/secrets/set`, [
      {
        key: 'LINES',
        value: Array.from({ length: 1400 }, (_, line) => `round ${round} line ${line}`).join('\n'),
      },
    ]);
  await setLines(0);
  const lease = await takeJob((await start({ appEnvironmentId: environment.id })).jobId);
  for (let round = 1; round <= 3; round++) {
    expect((await payloadOf(lease)).status).toBe(200);
    expect((await payloadOf(lease)).status).toBe(200);
    await setLines(round);
  }
  const refused = await payloadOf(lease);
  expectError(refused, 409, 'conflict');
  expect(JSON.stringify(refused.body)).not.toContain('round');
});

describe('a certificate that was restricted', () => {
  const certify = async (): Promise<string> => (await createCertificate(app, {}, pem())).id;
  const restrict = (id: string, values: object) => app.api.patch(`${app.path}/certificates/${id}`, values);

  it('before the payload fails the build', async () => {
    const certificate = await certify();
    const { jobId } = await start({ appCertificateId: certificate });
    expect((await restrict(certificate, { allowedRefs: ['main'] })).status).toBe(200);
    await expectLost(await takeJob(jobId), /^The build may not use the certificate .+ any more: only builds/);
  });

  it('before the signature fails the build, and signs nothing', async () => {
    const certificate = await certify();
    const lease = await takeJob((await start({ appCertificateId: certificate })).jobId);
    expect((await payloadOf(lease)).status).toBe(200);
    const zip = await zipOf({ 'index.html': '<html>built' });
    const announced = await announceArtifact(lease, zip, { type: 'zip' });
    const path = `/v1/runner/job/artifacts/${(announced.body as { id: string }).id}`;
    const uploadId = await beginUpload(lease.api, path);
    const part = await putPart(lease.api, path, uploadId, 1, zip);
    expect((await restrict(certificate, { allowedRefs: ['main'] })).status).toBe(200);
    expectError(await completeUpload(lease.api, path, uploadId, [part.body]), 410, 'lease_lost');
    const job = await readJob(app, lease.jobId);
    expect(job).toMatchObject({
      status: 'failed',
      statusMessage: expect.stringMatching(/^The build may not use the certificate/) as string,
    });
    expect(job.jobLogs.at(-3)?.payload).toBe(job['statusMessage']);
    expect(job.jobLogs.at(-1)?.payload).toContain(`The job failed. ${String(job['statusMessage'])}`);
    const { body } = await app.api.get(`${app.path}/builds?relations=appBuildArtifacts&limit=1`);
    expect(body).toMatchObject([{ appBuildArtifacts: [] }]);
  });

  it('for others only signs for those who may use it', async () => {
    const certificate = await certify();
    const { jobId } = await start({ appCertificateId: certificate });
    expect((await restrict(certificate, { protected: true })).status).toBe(200);
    const { completed } = await uploadArtifact(
      await takeJob(jobId),
      await zipOf({ 'index.html': '<html>built' }),
    );
    expect(completed.status).toBe(200);
  });

  it('for all builds of uploaded sources fails the build', async () => {
    const organization = `/v1/organizations/${app.tenant.organizationId}`;
    const certificate = await certify();
    const used = { platform: 'web', appBuildSourceId: source, appCertificateId: certificate };
    const { jobId } = await start(used);
    expect((await app.api.patch(organization, { restrictCertificates: true })).status).toBe(200);
    const { message } = expectError(await app.api.post(`${app.path}/builds`, used), 403, 'use_restricted');
    expect(message).toMatch(/ cannot be used by builds of uploaded sources: /);
    await start({ appEnvironmentId: (await environmentWithSecret()).id });
    await expectLost(await takeJob(jobId), /^The build may not use the certificate .+ of uploaded sources/);
    await app.api.patch(organization, { restrictCertificates: false });
  });
});
