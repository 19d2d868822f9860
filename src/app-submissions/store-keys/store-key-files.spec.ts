import { generateKeyPairSync } from 'node:crypto';
import { requireAppleApiKey } from './store-keys.service.js';
import { readGoogleServiceAccountKey } from './google-service-account-key.js';
import { storeKeyTextOf } from './store-key-text.js';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const p8 = ec.export(pkcs8).toString();
const rsaPem = rsa.export(pkcs8).toString();

const json = (members: object = {}): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'example',
    private_key_id: 'abc123',
    private_key: rsaPem,
    client_email: 'publisher@example.iam.gserviceaccount.com',
    ...members,
  });

describe('the .p8 of App Store Connect', () => {
  it.each([p8, p8.trim(), p8.replaceAll('\n', '\r\n'), `\n${p8}\n\n`])(
    'is taken with any line breaks',
    (text) => {
      expect(() => requireAppleApiKey(text)).not.toThrow();
    },
  );

  it.each([
    ['is JSON', json()],
    [
      'is an encrypted private key',
      ec.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'x' }).toString(),
    ],
    ['is an EC private key that is not PKCS#8', ec.export({ type: 'sec1', format: 'pem' }).toString()],
    ['is an RSA private key', rsa.export({ type: 'pkcs1', format: 'pem' }).toString()],
    ['has a private key of the type rsa, and not EC', rsaPem],
    [
      'has a private key of the type ed25519, and not EC',
      generateKeyPairSync('ed25519').privateKey.export(pkcs8),
    ],
    [
      'has a private key of another curve than P-256',
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export(pkcs8),
    ],
    [
      'has a private key that cannot be read',
      '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
    ],
    ['is a private key in PEM, but not alone or not whole', p8.slice(0, 80)],
    ['is a private key in PEM, but not alone or not whole', p8 + p8],
    ['is a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
    ['is a public key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'],
    ['is an HTML or XML page', '<!DOCTYPE html><title>Sign in</title>'],
    ['is empty', ' \n '],
    ['is no private key in PEM', '2X9R4HXF34'],
  ])('%s', (problem, text) => {
    expect(() => requireAppleApiKey(text.toString())).toThrow(
      `file ${problem}: upload the .p8 that App Store Connect offers for an API key.`,
    );
  });
});

describe('the JSON key of a Google service account', () => {
  it('is read', () => {
    expect(readGoogleServiceAccountKey(json())).toEqual({
      clientEmail: 'publisher@example.iam.gserviceaccount.com',
      privateKeyPem: rsaPem,
      keyId: 'abc123',
    });
    expect(readGoogleServiceAccountKey(json({ private_key_id: undefined })).keyId).toBeNull();
    expect(readGoogleServiceAccountKey(json({ private_key_id: 'a\r\nb' })).keyId).toBeNull();
  });

  it.each([
    ['is a private key in PEM, and no JSON', p8],
    ['is the text of an API key, and no JSON', `AIza${'x'.repeat(35)}`],
    ['is JSON that is cut off or wrong', json().slice(0, 100)],
    ['is no JSON', 'publisher@example.com'],
    ['is JSON, but no object', '[]'],
    ['is JSON, but no object', 'null'],
    ['is an OAuth client', '{"installed": {"client_id": "a"}}'],
    ['is an OAuth client', '{"web": {"client_id": "a"}}'],
    ['is google-services.json, the configuration of Firebase in an app', '{"project_info": {}}'],
    ['holds the credentials of a user', json({ type: 'authorized_user', refresh_token: 'a' })],
    ['is a configuration of workload identity federation', json({ type: 'external_account' })],
    ['holds tokens', '{"access_token": "a"}'],
    ['does not have the type service_account', json({ type: undefined })],
    ['does not have the type service_account', json({ type: ['service_account'] })],
    ['has no e-mail address in client_email', json({ client_email: undefined })],
    ['has no e-mail address in client_email', json({ client_email: 'publisher' })],
    ['has no e-mail address in client_email', json({ client_email: { a: 1 } })],
    ['has no e-mail address in client_email', json({ client_email: `${'a'.repeat(300)}@example.com` })],
    ['has no project_id', json({ project_id: ' ' })],
    ['has no private_key', json({ private_key: undefined })],
    ['has no private_key', json({ private_key: { key: 1 } })],
    ['has a private_key that cannot be read', json({ private_key: 'secret' })],
    ['has a private_key that cannot be read', json({ private_key: rsaPem.slice(0, 300) })],
    ['has a private_key that is no RSA key', json({ private_key: p8 })],
    [
      'has an encrypted private_key',
      json({ private_key: rsa.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'x' }) }),
    ],
    [
      'has a private_key of 1024 bits, which must be 2048 to 8192',
      json({ private_key: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export(pkcs8) }),
    ],
  ])('%s', (problem, text) => {
    expect(() => readGoogleServiceAccountKey(text)).toThrow(
      `file ${problem}: upload the JSON key of a service account, which the Google Cloud console creates.`,
    );
  });

  it('shows nothing of a private key in its errors', () => {
    for (const text of [json().slice(0, -5), json({ private_key: rsaPem.slice(0, 300) }), p8]) {
      expect(() => readGoogleServiceAccountKey(text)).toThrow(/^(?!.*(MII|MHc|MIG|BEGIN)).*$/);
    }
  });
});

describe('the bytes of a file', () => {
  it('may begin with a byte order mark', () => {
    expect(storeKeyTextOf({ buffer: Buffer.from(`\ufeff${p8}`) })).toBe(p8);
  });

  it.each([
    ['file is empty.', Buffer.alloc(0)],
    ['file is text in UTF-16: save it as UTF-8.', Buffer.from(`\ufeff${p8}`, 'utf16le')],
    ['file is text in UTF-16: save it as UTF-8.', Buffer.from(`\ufeff${p8}`, 'utf16le').swap16()],
    ['file is no text: it has zero bytes.', Buffer.from(p8, 'utf16le')],
    [
      'file is no text: upload it as it was downloaded, not a keystore or a key in DER.',
      rsa.export({ type: 'pkcs8', format: 'der' }),
    ],
    [
      'file is no text: upload it as it was downloaded, not in a zip file.',
      Buffer.from('504b0304ff00', 'hex'),
    ],
    ['file is no text: upload it as it was downloaded, not a binary file.', Buffer.from([0xff, 0x00])],
  ])('%s', (message, buffer) => {
    expect(() => storeKeyTextOf({ buffer })).toThrow(message);
  });
});
