import { createApp, type TestApp } from '../../builders/app.js';
import { createDestination } from '../../builders/destination.js';
import {
  appleKeyFile,
  createAppleKey,
  createGoogleKey,
  googleKeyFile,
  type StoreKeyPath,
  uploadStoreKey,
} from '../../builders/store-key.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { form, send } from '../../support/http/multipart.js';
import { auditEvents } from '../../support/organizations/audit-log.js';

let app: TestApp;
beforeAll(async () => {
  app = await createApp();
});

const sql = (text: string, parameters: unknown[] = []): Promise<Record<string, unknown>[]> =>
  query(testEnvironment().databaseUrl, text, parameters);

const files: [StoreKeyPath, string][] = [
  ['apple-api-keys', appleKeyFile],
  ['google-service-account-keys', googleKeyFile()],
];

describe.each(files)('POST %s', (path, file) => {
  it('stores the file so that it shows nowhere', async () => {
    const created = await uploadStoreKey(app, path, file);
    const { id } = expectCreated<{ id: string }>(created);
    expect(created.body).toEqual({ id, appId: app.id, createdAt: expect.any(String) as string });
    const [row] = await sql('SELECT * FROM store_keys WHERE id = $1', [id]);
    expect(row).toMatchObject({
      sealed_file: expect.stringMatching(/^v1\./) as string,
      created_by_user_id: app.tenant.owner.userId,
    });
    expect(JSON.stringify(row)).not.toMatch(/PRIVATE KEY/);
    const [event] = await auditEvents(app.tenant, `objectId=${id}`);
    expect(event).toMatchObject({ action: 'created', object: { type: 'store-key' }, after: { file: '***' } });
    expect(JSON.stringify(event)).not.toMatch(/v1\.|PRIVATE/);
  });

  it('refuses what is no such file, and stores nothing', async () => {
    const count = async () => (await sql('SELECT FROM store_keys WHERE app_id = $1', [app.id])).length;
    const before = await count();
    const [, other] = files.find(([otherPath]) => otherPath !== path) ?? ['', ''];
    for (const content of ['', 'secret', Buffer.alloc(1000), other, '{}', '[]']) {
      expectInvalid(await uploadStoreKey(app, path, content), 'file');
    }
    const tooLarge = expectInvalid(await uploadStoreKey(app, path, file + ' '.repeat(64 * 1024)), 'file');
    expect(tooLarge.message).toBe('file has more than 64 KiB, and no key has.');
    const asText = form([{ name: 'file', content: file }]);
    expectInvalid(await send(app.api, 'post', `${app.path}/${path}`, asText), 'file');
    const none = form([{ name: 'name', content: 'key' }]);
    expectInvalid(await send(app.api, 'post', `${app.path}/${path}`, none), 'file');
    const two = form(['a', 'b'].map((filename) => ({ name: 'file', content: file, filename })));
    expectError(await send(app.api, 'post', `${app.path}/${path}`, two), 400);
    expectError(await app.api.post(`${app.path}/${path}`, { file }), 415);
    expect(await count()).toBe(before);
  });

  it('is not for those of other organizations', async () => {
    const stranger = await createApp();
    expectError(await uploadStoreKey(app, path, file, stranger.api), 404, 'app_not_found');
  });
});

it('does not believe the addresses in a file', async () => {
  const id = await createGoogleKey(app, { token_uri: 'http://127.0.0.1:1/', universe_domain: 'example.com' });
  const [row] = await sql('SELECT account_email FROM store_keys WHERE id = $1', [id]);
  expect(row).toEqual({ account_email: 'publisher@example.iam.gserviceaccount.com' });
});

describe('a key of a destination', () => {
  it('is one of the same app and of the right kind', async () => {
    const other = await createApp(app.tenant);
    const [apple, google, others] = [
      await createAppleKey(app),
      await createGoogleKey(app),
      await createGoogleKey(other),
    ];
    const wrong = [
      { appGoogleServiceAccountKeyId: apple },
      { appAppleApiKeyId: google },
      { appGoogleServiceAccountKeyId: others },
      { appGoogleServiceAccountKeyId: app.id },
    ];
    const { id } = await createDestination(app, { appGoogleServiceAccountKeyId: google });
    for (const fields of wrong) {
      const body = { name: 'Wrong key', platform: 'android', ...fields };
      expectError(await app.api.post(`${app.path}/destinations`, body), 404, 'store_key_not_found');
      expectError(await app.api.patch(`${app.path}/destinations/${id}`, fields), 404, 'store_key_not_found');
    }
    const { body } = await app.api.get(`${app.path}/destinations/${id}`);
    expect(body).toMatchObject({ appGoogleServiceAccountKeyId: google, appAppleApiKeyId: null });
  });
});
