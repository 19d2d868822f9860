import { generateKeyPairSync } from 'node:crypto';
import type { Response } from 'supertest';
import { certificateParts, createCertificate, pem } from '../../builders/certificate.js';
import { createApp, type TestApp } from '../../builders/app.js';
import { eventually } from '../../support/eventually.js';
import { createMember } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { form, type Part, send } from '../../support/http/multipart.js';
import { auditEvents } from '../../support/organizations/audit-log.js';
import { slowKey } from '../../support/native-builds/slow-key.js';

let app: TestApp;
beforeAll(async () => {
  app = await createApp();
});

const upload = (parts: readonly Part[], api = app.api) =>
  send(api, 'post', `${app.path}/certificates`, form(parts));
const create = (...parts: Parameters<typeof certificateParts>) => upload(certificateParts(...parts));
const patch = (id: string, body: object) => app.api.patch(`${app.path}/certificates/${id}`, body);

/** A process has used its time; on a busy machine, it may not get it. */
function expectGivenUp(response: Response): void {
  if (response.status === 503) expectError(response, 503, 'certificate_reader_busy');
  else expect(expectInvalid(response, 'file').message).toContain('5 seconds of processor time');
}

describe('a web certificate', () => {
  it('is stored without its file and its password showing anywhere', async () => {
    const encrypted = pem('correct horse');
    const created = await create(
      { name: 'Live Updates', password: 'correct horse' },
      encrypted,
      'Schlüssel.pem',
    );
    expect(expectCreated<{ id: string }>(created)).toEqual({
      id: expect.any(String) as string,
      appId: app.id,
      name: 'Live Updates',
      nameLower: 'live updates',
      platform: 'web',
      type: 'production',
      fileName: 'Schlüssel.pem',
      fileMimeType: 'application/x-pem-file',
      fileSizeInBytes: encrypted.length,
      expiresAt: null,
      keyAlias: null,
      subject: null,
      sha256Fingerprint: null,
      teamId: null,
      allowedRefs: [],
      protected: false,
      createdAt: expect.any(String) as string,
      createdBy: app.tenant.owner.userId,
      updatedAt: expect.any(String) as string,
      updatedBy: app.tenant.owner.userId,
    });
    const { id } = created.body as { id: string };
    expect((await app.api.get(`${app.path}/certificates/${id}`)).body).toEqual(created.body);
    const [row] = await query<Record<string, unknown>>(
      testEnvironment().databaseUrl,
      'SELECT * FROM certificates WHERE id = $1',
      [id],
    );
    const sealed = expect.stringMatching(/^v1\./) as string;
    expect(row).toMatchObject({
      sealed_file: sealed,
      sealed_password: sealed,
      sealed_key_password: null,
      sealed_signing_key: sealed,
    });
    const [event] = await auditEvents(app.tenant, `objectId=${id}`);
    expect(event).toMatchObject({
      action: 'created',
      object: { type: 'certificate', name: 'Live Updates' },
      after: { file: '***', password: '***', createdBy: app.tenant.owner.userId },
    });
    expect(event?.after).not.toHaveProperty('sealedSigningKey');
    expect(JSON.stringify(event)).not.toMatch(/v1\.|correct|PRIVATE/);
  });

  it('is refused with one sentence when it cannot be opened', async () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const wrong: [string, Parameters<typeof certificateParts>][] = [
      ['password', [{ password: 'wrong' }, pem('right')]],
      ['password', [{}, pem('right')]],
      ['password', [{ password: 'x' }, pem()]],
      ['keyAlias', [{ keyAlias: 'upload' }]],
      ['keyPassword', [{ keyPassword: 'x' }]],
      ['file', [{}, 'no key']],
      ['file', [{}, '']],
      ['file', [{}, ec.export({ type: 'pkcs8', format: 'pem' })]],
      ['file', [{}, pem(), 'a\u202eb']],
      ['name', [{ name: ' ' }]],
      ['platform', [{ platform: 'windows' }]],
      ['type', [{ type: 'debug' }]],
    ];
    for (const [field, parts] of wrong) expectInvalid(await create(...parts), field);
    expectInvalid(await upload(certificateParts().filter(({ name }) => name !== 'file')), 'file');
    expectInvalid(await upload([...certificateParts().slice(1), { name: 'file', content: pem() }]), 'file');
    expectInvalid(await create({}, Buffer.alloc(256 * 1024 + 1)), 'file');
    expectError(await create({ password: 'x'.repeat(16 * 1024 + 1) }), 400);
    expectError(await upload([...certificateParts(), { name: 'other', content: 'x', filename: 'y' }]), 400);
  });

  it('that takes hours to open is given up, while the server goes on', async () => {
    const slow = Promise.all(Array.from({ length: 2 }, () => create({ password: 'x' }, slowKey())));
    expect((await app.api.get(app.path)).status).toBe(200);
    for (const response of await slow) expectGivenUp(response);
    await createCertificate(app);
  });

  it('of another organization is opened while one sends those that take hours', async () => {
    const other = await createApp();
    let ended = 0;
    const slow = Array.from({ length: 5 }, () =>
      create({ password: 'x' }, slowKey()).then((response) => {
        ended++;
        return response;
      }),
    );
    const refused = await Promise.race(slow);
    expectError(refused, 429, 'server_busy');
    await eventually(() => expect(ended).toBe(2));
    await createCertificate(other);
    await createCertificate(other);
    // Of the three that are left, one is opened after the other.
    expect(ended).toBeLessThan(5);
    const responses = await Promise.all(slow);
    const limited = responses.filter(({ status }) => status === 429);
    // On a busy machine, one of those that wait gets no turn in time.
    expect(limited.length).toBeGreaterThanOrEqual(2);
    for (const response of responses) if (!limited.includes(response)) expectGivenUp(response);
  });

  it('is opened again when its password changes', async () => {
    const { id } = await createCertificate(app, { password: 'right' }, pem('right'));
    for (const password of ['wrong', null]) expectInvalid(await patch(id, { password }), 'password');
    expectInvalid(await patch(id, { keyAlias: 'upload' }), 'keyAlias');
    const changes = { name: 'Changed', password: 'right', keyAlias: null, appId: app.id, certificateId: id };
    expect((await patch(id, changes)).body).toMatchObject({ name: 'Changed', keyAlias: null });
    expect((await patch(id, { type: 'development' })).body).toMatchObject({ type: 'development' });
  });
});

it('is for the web by default, or for the only platform of the app', async () => {
  const ios = await createApp(app.tenant, { type: 'ios' });
  const parts = form(certificateParts({ platform: undefined }));
  const response = await send(ios.api, 'post', `${ios.path}/certificates`, parts);
  expect(expectInvalid(response, 'file').message).toContain('a private key alone');
  await createCertificate(app, { platform: undefined });
});

it('keeps names apart by platform and type, ignoring case, and deletes by name', async () => {
  await createCertificate(app, { name: 'Twice' });
  expectError(await create({ name: 'TWICE' }), 409, 'certificate_name_taken');
  const { id } = await createCertificate(app, { name: 'twice', type: 'development' });
  expectError(await patch(id, { type: 'production' }), 409, 'certificate_name_taken');
  const list = async (filter: string) =>
    ((await app.api.get(`${app.path}/certificates?${filter}`)).body as { type: string }[]).map(
      ({ type }) => type,
    );
  expect((await list('name=TWICE&platform=web')).sort()).toEqual(['development', 'production']);
  expect(await list('name=twice&type=production')).toEqual(['production']);
  expect(await list('name=twice&platform=ios')).toEqual([]);
  expect((await list('query=WIC')).length).toBe(2);
  const named = (query: string) => app.api.delete(`${app.path}/certificates?name=${query}`);
  expectInvalid(await named('twice'), 'name');
  expectError(await named('twice&platform=ios'), 404, 'certificate_not_found');
  expect((await named('Twice&type=development')).status).toBe(204);
  expect((await named('twice&platform=web')).status).toBe(204);
  expectError(await named('twice'), 404, 'certificate_not_found');
  expectInvalid(await named(''), 'name');
});

it('is restricted from the beginning by owners and admins', async () => {
  const parts = [
    ...certificateParts({ protected: 'true' }),
    { name: 'allowedRefs', content: 'main' },
    { name: 'allowedRefs', content: 'refs/tags/v*' },
  ];
  const restrictions = { protected: true, allowedRefs: ['main', 'refs/tags/v*'] };
  expect(expectCreated(await upload(parts))).toMatchObject(restrictions);
  expect(expectCreated(await create({ protected: '', allowedRefs: 'main' }))).toMatchObject({
    protected: false,
    allowedRefs: ['main'],
  });
  const member = await createMember(app.tenant, 'member');
  for (const fields of [{ protected: 'true' }, { allowedRefs: 'main' }, { allowedRefs: '' }]) {
    expectError(await upload(certificateParts(fields), member.api), 403, 'not_authorized');
  }
  expectCreated(await upload(certificateParts(), member.api));
  const many = Array.from({ length: 21 }, () => ({ name: 'allowedRefs', content: 'main' }));
  const wrong: [string, Part[]][] = [
    ['protected', certificateParts({ protected: 'yes' })],
    ['allowedRefs', certificateParts({ allowedRefs: '["main"]' })],
    ['allowedRefs', [...certificateParts(), ...many]],
  ];
  for (const [field, fields] of wrong) expectInvalid(await upload(fields), field);
});

it('is changed by owners and admins only while it is restricted', async () => {
  const { id, name } = await createCertificate(app);
  const member = await createMember(app.tenant, 'member');
  const path = `${app.path}/certificates/${id}`;
  expectError(await member.api.patch(path, { protected: true }), 403, 'not_authorized');
  expect((await patch(id, { protected: true, allowedRefs: ['main'] })).body).toMatchObject({
    protected: true,
    allowedRefs: ['main'],
  });
  for (const response of [
    await member.api.patch(path, { name: 'x' }),
    await member.api.patch(path, { protected: false }),
    await member.api.delete(path),
    await member.api.delete(`${app.path}/certificates?name=${name}`),
  ])
    expectError(response, 403, 'not_authorized');
  await patch(id, { protected: false, allowedRefs: [] });
  expect((await member.api.delete(path)).status).toBe(204);
});
