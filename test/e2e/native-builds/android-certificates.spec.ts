import { createApp, type TestApp } from '../../builders/app.js';
import { certificateParts, createCertificate } from '../../builders/certificate.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectInvalid } from '../../support/http/expect-error.js';
import { form, send } from '../../support/http/multipart.js';
import { makeIdentity } from '../../support/native-builds/keystores/identity.js';
import { jks } from '../../support/native-builds/keystores/jks.js';
import { pkcs12 } from '../../support/native-builds/keystores/pkcs12.js';
import { startBuild, takeJob } from '../../support/native-builds/leases.js';
import { uploadSource } from '../../support/native-builds/sources.js';

const PASSWORD = 'storepass';
const identity = makeIdentity();
const upload = { alias: 'upload', identity };
const keystore = jks([upload], PASSWORD);
const two = jks([upload, { alias: 'old', identity, keyPassword: 'keypass' }], PASSWORD);

let app: TestApp;
beforeAll(async () => {
  app = await createApp();
});

type Fields = Readonly<Record<string, string | undefined>>;
const partsOf = (file: Buffer, fields: Fields = {}) =>
  certificateParts({ platform: 'android', password: PASSWORD, ...fields }, file, 'upload.jks');
const create = (file: Buffer, fields: Fields = {}) =>
  send(app.api, 'post', `${app.path}/certificates`, form(partsOf(file, fields)));
const make = async (file: Buffer, fields: Fields = {}, name?: string): Promise<string> =>
  expectCreated<{ id: string }>(await create(file, { ...(name === undefined ? {} : { name }), ...fields }))
    .id;
const patch = (id: string, body: object) => app.api.patch(`${app.path}/certificates/${id}`, body);

describe('an Android certificate', () => {
  it('shows what its keystore says, and nothing secret', async () => {
    const created = await create(keystore, { type: 'development', keyAlias: 'UPLOAD' });
    expect(expectCreated(created)).toMatchObject({
      platform: 'android',
      type: 'production',
      fileName: 'upload.jks',
      fileSizeInBytes: keystore.length,
      keyAlias: 'upload',
      subject: 'CN=Upload, O=Example, C=DE',
      sha256Fingerprint: identity.certificate.fingerprint256,
      expiresAt: new Date(identity.certificate.validTo).toISOString(),
    });
    expect(created.text).not.toContain(PASSWORD);
    const { id } = created.body as { id: string };
    expect((await app.api.get(`${app.path}/certificates/${id}`)).body).toEqual(created.body);
  });

  it('can be PKCS#12 under any name, and take the platform of the app', async () => {
    const android = await createApp(app.tenant, { type: 'android' });
    const parts = form(partsOf(pkcs12([upload], PASSWORD), { platform: undefined }));
    const response = await send(android.api, 'post', `${android.path}/certificates`, parts);
    expect(expectCreated(response)).toMatchObject({ platform: 'android', keyAlias: 'upload' });
  });

  it('is refused with the field and the reason', async () => {
    const expired = jks([{ alias: 'upload', identity: makeIdentity({ days: -1 }) }], PASSWORD);
    const trusted = jks([{ alias: 'ca', identity, isTrusted: true }], PASSWORD);
    const slow = pkcs12([upload], PASSWORD, { iterations: 2 ** 31 - 1 });
    const wrong: [field: string, text: string, file: Buffer, fields?: Fields][] = [
      ['password', 'password is required', keystore, { password: undefined }],
      ['password', 'does not open the keystore', keystore, { password: 'wrong' }],
      ['keyPassword', 'password opens the keystore, but not the key old', two, { keyAlias: 'old' }],
      ['keyPassword', 'does not open the key old', two, { keyAlias: 'old', keyPassword: 'wrong' }],
      ['keyAlias', 'has the keys upload, old', two],
      ['keyAlias', 'is not in the keystore', keystore, { keyAlias: 'new' }],
      ['file', 'whose alias begins with "-"', jks([{ ...upload, alias: '-key' }], PASSWORD)],
      ['file', 'whose alias begins with "@"', pkcs12([{ ...upload, alias: '@key' }], PASSWORD)],
      ['keyAlias', 'file has only certificates', trusted, { keyAlias: 'ca' }],
      ['file', 'expired on', expired],
      ['file', 'JCEKS', Buffer.from('cececece00000002', 'hex')],
      ['file', 'BKS', Buffer.from('0000000200000014', 'hex')],
      ['file', 'incomplete', keystore.subarray(0, 1000)],
      ['file', 'iterations', slow],
      ['file', 'more than 256 KiB', Buffer.alloc(256 * 1024 + 1)],
      ['file', 'more than 256 KiB', Buffer.alloc(5_000_000)],
    ];
    for (const [field, text, file, fields] of wrong) {
      expect(expectInvalid(await create(file, fields), field).message).toContain(text);
    }
    expect((await app.api.get(`${app.path}/certificates?platform=android&query=upload.jks`)).body).toEqual(
      [],
    );
  });

  it('is opened again when its alias or a password changes', async () => {
    const id = await make(two, { keyAlias: 'upload' });
    expectInvalid(await patch(id, { keyAlias: null }), 'keyAlias');
    expectInvalid(await patch(id, { keyAlias: 'old' }), 'keyPassword');
    expectInvalid(await patch(id, { password: 'wrong' }), 'password');
    expectInvalid(await patch(id, { password: null }), 'password');
    expect((await patch(id, { keyAlias: 'OLD', keyPassword: 'keypass' })).body).toMatchObject({
      keyAlias: 'old',
    });
    expect((await patch(id, { name: 'Renamed', keyPassword: 'keypass' })).body).toMatchObject({
      name: 'Renamed',
      subject: 'CN=Upload, O=Example, C=DE',
    });
    expect((await patch(id, { keyAlias: 'upload', keyPassword: '' })).status).toBe(200);
    expectInvalid(await patch(id, { keyAlias: '' }), 'keyAlias');
    expectInvalid(await patch(id, { password: '' }), 'password');
    const only = await make(keystore);
    expect((await patch(only, { keyAlias: null })).body).toMatchObject({ keyAlias: 'upload' });
  });
});

it('certificates are listed by when they expire', async () => {
  const own = await createApp();
  const day = (days: number): string => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString();
  for (const days of [10, 100]) {
    const file = jks([{ alias: 'upload', identity: makeIdentity({ days }) }], PASSWORD);
    await createCertificate(own, { name: `${days} days`, platform: 'android', password: PASSWORD }, file);
  }
  await createCertificate(own);
  const list = async (filter: string) =>
    ((await own.api.get(`${own.path}/certificates?${filter}`)).body as { name: string }[]).map(
      ({ name }) => name,
    );
  expect(await list(`expiresBefore=${day(5)}`)).toEqual([]);
  expect(await list(`expiresBefore=${day(50)}`)).toEqual(['10 days']);
  expect(await list(`expiresBefore=${day(1000)}&platform=android`)).toEqual(['10 days', '100 days']);
  expect(await list(`expiresBefore=${day(1000)}&query=100`)).toEqual(['100 days']);
  expect(await list(`expiresBefore=${day(1000)}&platform=web`)).toEqual([]);
  expect(await list('expiresBefore=')).toHaveLength(3);
  expectInvalid(await own.api.get(`${own.path}/certificates?expiresBefore=soon`), 'expiresBefore');
});

describe('a build with a certificate', () => {
  it('gets passwords without the line ends that a file of secrets had', async () => {
    const id = await make(two, { keyAlias: 'old', password: `${PASSWORD}\n`, keyPassword: 'keypass\r\n' });
    const appBuildSourceId = await uploadSource(app);
    const values = { platform: 'android', type: 'release', appBuildSourceId, appCertificateId: id };
    const certificateOf = async (): Promise<object> => {
      const { jobId } = await startBuild(app, values);
      const { body } = await (await takeJob(jobId)).api.get('/v1/runner/job/payload');
      return (body as { certificate: object }).certificate;
    };
    expect(await certificateOf()).toMatchObject({ password: PASSWORD, keyPassword: 'keypass' });
    expect((await patch(id, { keyAlias: 'upload', password: `${PASSWORD}\n`, keyPassword: '' })).status).toBe(
      200,
    );
    expect(await certificateOf()).toMatchObject({ password: PASSWORD, keyPassword: null });
  });

  it('gets the keystore with what opens it', async () => {
    const appCertificateId = await make(two, { keyAlias: 'Old', keyPassword: 'keypass' });
    const appBuildSourceId = await uploadSource(app);
    const values = { platform: 'android', type: 'release', appBuildSourceId, appCertificateId };
    const [first, second] = await Promise.all([startBuild(app, values), startBuild(app, values)]);
    for (const { jobId } of [first, second]) {
      const { body } = await (await takeJob(jobId)).api.get('/v1/runner/job/payload');
      expect(body).toMatchObject({
        certificate: {
          type: 'production',
          fileName: 'upload.jks',
          file: two.toString('base64'),
          password: PASSWORD,
          keyAlias: 'old',
          keyPassword: 'keypass',
        },
        masks: [PASSWORD, 'keypass'],
      });
    }
  });

  it('warns when that expires soon or has expired, and is started all the same', async () => {
    const file = jks([{ alias: 'upload', identity: makeIdentity({ days: 20 }) }], PASSWORD);
    const appCertificateId = await make(file, {}, 'Old key');
    const appBuildSourceId = await uploadSource(app);
    const start = async (values: object = {}) => {
      const body = { platform: 'android', appBuildSourceId, ...values };
      return expectCreated<{ id: string; warnings: unknown[] }>(
        await app.api.post(`${app.path}/builds`, body),
      );
    };
    const { id, warnings } = await start({ appCertificateId });
    expect(warnings).toEqual([
      {
        code: 'certificate_expires',
        message: expect.stringContaining('The certificate Old key expires on 20'),
      },
    ]);
    expect((await app.api.get(`${app.path}/builds/${id}`)).body).toMatchObject({ warnings: [] });
    await query(testEnvironment().databaseUrl, `UPDATE certificates SET expires_at = now() WHERE id = $1`, [
      appCertificateId,
    ]);
    expect((await start({ appCertificateName: 'old key' })).warnings).toMatchObject([
      { code: 'certificate_expired' },
    ]);
    expect((await start()).warnings).toEqual([]);
    const lasting = await make(keystore);
    expect((await start({ appCertificateId: lasting })).warnings).toEqual([]);
  });
});
