import { createApp, type TestApp } from '../../builders/app.js';
import { createCertificate } from '../../builders/certificate.js';
import { createMember } from '../../builders/identities.js';
import { createIosSigning, createProfile, uploadProfile } from '../../builders/provisioning-profile.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { form, send } from '../../support/http/multipart.js';
import { makeAppleIdentity, makeP12 } from '../../support/native-builds/apple/identity.js';
import { makeProfile, profileText } from '../../support/native-builds/apple/profile.js';
import { auditEvents } from '../../support/organizations/audit-log.js';

const identity = makeAppleIdentity();
const p12 = makeP12(identity);
const uuid = '3f2c8a52-54c0-4ec8-8b4e-0f6d3c3a6a11';

let app: TestApp;
beforeAll(async () => {
  app = await createApp();
});

const pathOf = (of: TestApp): string => `${of.path}/provisioning-profiles`;
const sql = (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  query(testEnvironment().databaseUrl, text, values);
const link = (ids: readonly string[], appCertificateId: unknown, of = app, api = of.api) =>
  api.patch(`${pathOf(of)}?ids=${ids.join(',')}`, { appCertificateId });
const certificateOf = async (of = app): Promise<string> =>
  (await createCertificate(of, { platform: 'ios', password: 'storepass' }, p12, 'shop.p12')).id;
const idsOf = async (filter = '', of = app): Promise<string[]> =>
  ((await of.api.get(`${pathOf(of)}?${filter}`)).body as { id: string }[]).map(({ id }) => id);

describe('a provisioning profile', () => {
  it('shows what its file says, which is stored sealed', async () => {
    const devices = ['00008030-001A2D8E0C41802E', '00008030-001A2D8E0C41802F'];
    const certificates = [identity.certificate.raw];
    const file = makeProfile({ uuid, name: 'Shop ad hoc', devices, certificates, bundleId: 'com.example.*' });
    const created = await uploadProfile(app, file);
    expect(expectCreated<{ id: string }>(created)).toEqual({
      id: expect.any(String) as string,
      appId: app.id,
      appCertificateId: null,
      fileName: 'Shop.mobileprovision',
      fileMimeType: expect.stringContaining('/') as string,
      fileSizeInBytes: file.length,
      uuid,
      name: 'Shop ad hoc',
      type: 'ad-hoc',
      teamId: 'A1B2C3D4E5',
      bundleId: 'com.example.*',
      deviceCount: 2,
      expiresAt: '2027-06-01T12:00:00.000Z',
      certificateFingerprints: [identity.sha256Fingerprint],
      createdAt: expect.any(String) as string,
      createdBy: app.tenant.owner.userId,
    });
    const { id } = created.body as { id: string };
    expect((await app.api.get(`${pathOf(app)}/${id}`)).body).toEqual(created.body);
    const [row] = await sql('SELECT sealed_file FROM provisioning_profiles WHERE id = $1', [id]);
    expect(row?.['sealed_file']).toMatch(/^v1\./);
    const [event] = await auditEvents(app.tenant, `objectId=${id}`);
    expect(event).toMatchObject({
      action: 'created',
      object: { type: 'provisioning-profile', name: 'Shop ad hoc' },
      after: { file: '***' },
    });
    expect(JSON.stringify(event)).not.toContain('00008030');
  });

  it('is refused with one sentence', async () => {
    const before = await idsOf();
    const wrong: [text: string, file: Buffer][] = [
      ['is empty', Buffer.alloc(0)],
      ['without the signature of Apple', Buffer.from(profileText())],
      ['damaged', makeProfile().subarray(0, 1000)],
      ['is a .p12', p12],
      ['a zip or an app', Buffer.from('504b0304', 'hex')],
      ['expired on 2020-01-01', makeProfile({ expiresAt: new Date('2020-01-01T00:00:00Z') })],
      ['for macOS', makeProfile({ platforms: ['OSX'] })],
      ['more than 1024 KiB', Buffer.alloc(1024 * 1024 + 1)],
      ['no provisioning profile', Buffer.alloc(1024 * 1024)],
    ];
    for (const [text, file] of wrong) {
      expect(expectInvalid(await uploadProfile(app, file), 'file').message).toContain(text);
    }
    const text = form([{ name: 'file', content: 'x' }]);
    expectInvalid(await send(app.api, 'post', pathOf(app), text), 'file');
    expect(await idsOf()).toEqual(before);
  });

  it('can have ten thousand devices', async () => {
    const devices = Array.from({ length: 10_000 }, (_, n) => `00008030-${String(n).padStart(16, '0')}`);
    expect(await createProfile(app, { devices })).toMatchObject({ deviceCount: 10_000 });
  });

  it('can be linked when it is uploaded, only to a certificate of the app for iOS', async () => {
    const certificateId = await certificateOf();
    const all: Readonly<Record<string, string>>[] = [
      { certificateId },
      { appCertificateId: certificateId },
      { certificateId, appCertificateId: certificateId.toUpperCase() },
    ];
    for (const fields of all) {
      expect(await createProfile(app, {}, fields)).toMatchObject({ appCertificateId: certificateId });
    }
    const web = (await createCertificate(app)).id;
    const foreign = await certificateOf(await createApp());
    const upload = (fields: Readonly<Record<string, string>>) => uploadProfile(app, makeProfile(), fields);
    expect(expectInvalid(await upload({ certificateId: web }), 'certificateId').message).toContain('for web');
    expectInvalid(await upload({ appCertificateId: web }), 'appCertificateId');
    expectInvalid(await upload({ certificateId: 'x' }), 'certificateId');
    expectInvalid(await upload({ certificateId, appCertificateId: web }), 'appCertificateId');
    expectError(await upload({ certificateId: foreign }), 404, 'certificate_not_found');
  });
});

it('profiles are listed by certificate, type, expiry and text', async () => {
  const own = await createApp();
  const { certificateId, profiles } = await createIosSigning(own, { types: ['development', 'ad-hoc'] });
  const [development, adHoc] = profiles.map(({ id }) => id);
  const store = await createProfile(own, {
    type: 'app-store',
    name: 'Store 100%',
    uuid,
    bundleId: 'com.example.store',
    expiresAt: new Date('2027-09-01T00:00:00Z'),
  });
  expect(await idsOf('', own)).toEqual([store.id, adHoc, development]);
  expect(await idsOf('limit=1&offset=1', own)).toEqual([adHoc]);
  expect(await idsOf(`appCertificateId=${certificateId}`, own)).toEqual([adHoc, development]);
  expect(await idsOf(`certificateId=${certificateId}&type=ad-hoc`, own)).toEqual([adHoc]);
  expect(await idsOf('type=app-store', own)).toEqual([store.id]);
  expect(await idsOf('expiresBefore=2027-07-01T00:00:00Z', own)).toEqual([adHoc, development]);
  for (const text of [store.id, uuid.toUpperCase(), 'STORE 100%25', 'example.store']) {
    expect(await idsOf(`query=${text}`, own)).toEqual([store.id]);
  }
  expect(await idsOf('certificateId=&type=&expiresBefore=&query=', own)).toHaveLength(3);
  const wrong = { certificateId: 'x', appCertificateId: 'x', type: 'store', expiresBefore: 'soon' };
  for (const [field, value] of Object.entries(wrong)) {
    expectInvalid(await own.api.get(`${pathOf(own)}?${field}=${value}`), field);
  }
});

describe('linking', () => {
  it('links all profiles, and returns them; they can move', async () => {
    const [first, second] = [await createProfile(app), await createProfile(app)];
    const [certificate, other] = [await certificateOf(), await certificateOf()];
    const linked = await link([first.id, second.id.toUpperCase(), first.id], certificate);
    expect(linked.status).toBe(200);
    expect(linked.body).toMatchObject([
      { id: first.id, appCertificateId: certificate },
      { id: second.id, appCertificateId: certificate },
    ]);
    expect((await link([first.id], other)).body).toMatchObject([{ appCertificateId: other }]);
    expect(await idsOf(`certificateId=${certificate}`)).toEqual([second.id]);
    expect((await app.api.delete(`${app.path}/certificates/${other}`)).status).toBe(204);
    expectError(await app.api.get(`${pathOf(app)}/${first.id}`), 404, 'provisioning_profile_not_found');
  });

  it('links none when one is not of the app, or the request is wrong', async () => {
    const other = await createApp(app.tenant);
    const [own, foreign] = [await createProfile(app), await createProfile(other)];
    const certificate = await certificateOf();
    expectError(await link([own.id, foreign.id], certificate), 404, 'provisioning_profile_not_found');
    expectError(await link([own.id], await certificateOf(other)), 404, 'certificate_not_found');
    expectInvalid(await link([own.id], (await createCertificate(app)).id), 'appCertificateId');
    for (const wrong of [null, undefined, 5, 'x', [certificate]]) {
      expectInvalid(await link([own.id], wrong), 'appCertificateId');
    }
    for (const ids of [[], ['x'], [own.id, '']]) expectInvalid(await link(ids, certificate), 'ids');
    expectInvalid(await app.api.patch(pathOf(app), { appCertificateId: certificate }), 'ids');
    const many = Array.from({ length: 101 }, (_, n) => own.id.slice(0, -3) + String(n).padStart(3, '0'));
    expect(expectInvalid(await link(many, certificate), 'ids').message).toContain('at most 100');
    expect(await idsOf(`certificateId=${certificate}`)).toEqual([]);
  });

  it('replaces profiles of the certificate that have the same UUID', async () => {
    const certificate = await certificateOf();
    const [first, second, third] = [
      await createProfile(app, { uuid }, { certificateId: certificate }),
      await createProfile(app, { uuid: uuid.toUpperCase() }),
      await createProfile(app),
    ];
    expect(await idsOf(`certificateId=${certificate}`)).toEqual([first.id]);
    await link([second.id, third.id], certificate);
    expect(await idsOf(`certificateId=${certificate}`)).toEqual([third.id, second.id]);
    const again = await createProfile(app, { uuid }, { certificateId: certificate });
    expect(await idsOf(`certificateId=${certificate}`)).toEqual([again.id, third.id]);
  });

  it('the same profile by two requests at once gives one row', async () => {
    const certificate = await certificateOf();
    const profiles = [await createProfile(app, { uuid }), await createProfile(app, { uuid })];
    const responses = await Promise.all(profiles.map(({ id }) => link([id], certificate)));
    for (const { status } of responses) expect([200, 404]).toContain(status);
    expect(await idsOf(`certificateId=${certificate}`)).toHaveLength(1);
  });
});

it('profiles of a certificate, which a build gets at once, have at most 16 MiB', async () => {
  const certificateId = await certificateOf();
  const [large, small] = [await createProfile(app, {}, { certificateId }), await createProfile(app)];
  const setSize = (bytes: number) =>
    sql('UPDATE provisioning_profiles SET file_size_in_bytes = $2 WHERE id = $1', [large.id, bytes]);
  await setSize(16 * 1024 ** 2);
  expectError(await link([small.id], certificateId), 409, 'limit_reached');
  expectError(await uploadProfile(app, makeProfile(), { certificateId }), 409, 'limit_reached');
  expect(await idsOf(`certificateId=${certificateId}`)).toEqual([large.id]);
  await setSize(15 * 1024 ** 2);
  expect((await link([small.id], certificateId)).status).toBe(200);
});

it('profiles of a restricted certificate are changed only with its permission', async () => {
  const editor = await createMember(app.tenant, 'member');
  const { certificateId, profiles } = await createIosSigning(app);
  const id = profiles[0]?.id ?? '';
  const free = await createProfile(app);
  const open = await certificateOf();
  await app.api.patch(`${app.path}/certificates/${certificateId}`, { protected: true });
  const refused = [
    await link([free.id], certificateId, app, editor.api),
    await link([id], open, app, editor.api),
    await uploadProfile(app, makeProfile(), { certificateId }, editor.api),
    await editor.api.delete(`${pathOf(app)}/${id}`),
  ];
  for (const response of refused) expectError(response, 403, 'not_authorized');
  expect(await idsOf(`certificateId=${certificateId}`)).toEqual([id]);
  expect((await link([free.id], certificateId)).status).toBe(200);
  expect((await app.api.delete(`${pathOf(app)}/${id}`)).status).toBe(204);
  expectError(await app.api.delete(`${pathOf(app)}/${id}`), 404, 'provisioning_profile_not_found');
});
