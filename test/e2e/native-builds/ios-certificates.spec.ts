import { createApp, type TestApp } from '../../builders/app.js';
import { certificateParts } from '../../builders/certificate.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectInvalid } from '../../support/http/expect-error.js';
import { form, send } from '../../support/http/multipart.js';
import { makeAppleIdentity, makeP12 } from '../../support/native-builds/apple/identity.js';
import { makeProfile } from '../../support/native-builds/apple/profile.js';

const PASSWORD = 'storepass';
const identity = makeAppleIdentity();

let app: TestApp;
beforeAll(async () => {
  app = await createApp();
});

type Fields = Readonly<Record<string, string | undefined>>;
const create = (file: Buffer, fields: Fields = {}) => {
  const parts = certificateParts({ platform: 'ios', password: PASSWORD, ...fields }, file, 'shop.p12');
  return send(app.api, 'post', `${app.path}/certificates`, form(parts));
};
const patch = (id: string, body: object) => app.api.patch(`${app.path}/certificates/${id}`, body);

describe('a certificate for iOS', () => {
  it.each(['legacy', 'modern'] as const)(
    'shows what its %s .p12 says, and nothing secret',
    async (formOfFile) => {
      const file = makeP12(identity, PASSWORD, { form: formOfFile });
      const created = await create(file, { type: 'development' });
      expect(expectCreated(created)).toMatchObject({
        platform: 'ios',
        type: 'production',
        fileName: 'shop.p12',
        fileSizeInBytes: file.length,
        keyAlias: null,
        subject: expect.stringContaining('CN=Apple Distribution: Example GmbH (A1B2C3D4E5), OU=A1B2C3D4E5'),
        sha256Fingerprint: identity.sha256Fingerprint,
        teamId: 'A1B2C3D4E5',
        expiresAt: new Date(identity.certificate.validTo).toISOString(),
      });
      expect(created.text).not.toContain(PASSWORD);
      const { id } = created.body as { id: string };
      expect((await app.api.get(`${app.path}/certificates/${id}`)).body).toEqual(created.body);
    },
  );

  it('has the type that Apple gave it, and can have an empty password', async () => {
    const development = makeP12(makeAppleIdentity({ type: 'development' }), '');
    for (const password of ['', undefined]) {
      expect(expectCreated(await create(development, { password }))).toMatchObject({ type: 'development' });
    }
  });

  it('is refused with the field and the reason', async () => {
    const file = makeP12(identity, PASSWORD);
    const wrong: [field: string, text: string, file: Buffer, fields?: Fields][] = [
      ['password', 'password is required', file, { password: undefined }],
      ['password', 'does not open the file', file, { password: 'wrong' }],
      ['keyAlias', 'is for Android', file, { keyAlias: 'upload' }],
      ['keyPassword', 'is for Android', file, { keyPassword: 'x' }],
      ['file', 'expired on', makeP12(makeAppleIdentity({ days: -1 }))],
      ['file', 'no private key', makeP12([])],
      ['file', '2 private keys', makeP12([identity, makeAppleIdentity({ pair: 1 })])],
      ['file', 'sends notifications', makeP12(makeAppleIdentity({ commonName: 'Apple Push Services: a' }))],
      ['file', 'a provisioning profile', makeProfile()],
      ['file', 'incomplete', file.subarray(0, 1000)],
      ['file', 'iterations', makeP12(identity, PASSWORD, { iterations: 2 ** 31 - 1 })],
      ['file', 'more than 256 KiB', Buffer.alloc(256 * 1024 + 1)],
    ];
    const name = `Wrong ${app.id}`;
    for (const [field, text, content, fields] of wrong) {
      expect(expectInvalid(await create(content, { name, ...fields }), field).message).toContain(text);
    }
    expect((await app.api.get(`${app.path}/certificates?name=${encodeURIComponent(name)}`)).body).toEqual([]);
  });

  it('is opened again with another password', async () => {
    const { id } = expectCreated<{ id: string }>(await create(makeP12(identity, PASSWORD)));
    for (const password of ['wrong', '', null]) expectInvalid(await patch(id, { password }), 'password');
    expectInvalid(await patch(id, { keyAlias: 'upload' }), 'keyAlias');
    const changes = { name: `Renamed ${id}`, password: PASSWORD, keyAlias: null, keyPassword: null };
    expect((await patch(id, changes)).body).toMatchObject({ name: `Renamed ${id}`, teamId: 'A1B2C3D4E5' });
    const list = await app.api.get(`${app.path}/certificates?platform=ios&type=production&query=${id}`);
    expect(list.body).toMatchObject([{ id }]);
  });
});
