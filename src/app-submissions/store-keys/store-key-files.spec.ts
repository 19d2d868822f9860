import { generateKeyPairSync } from 'node:crypto';
import { readAppleApiKey } from './store-keys.service.js';
import { readGoogleServiceAccountKey } from './google-service-account-key.js';
import { parseLenientJson, storeKeyTextOf } from './store-key-text.js';

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
  const body = p8.replace(/-----.*-----/g, '').replaceAll('\n', '');
  it.each([
    ['as it is', p8],
    ['without the last line end', p8.trim()],
    ['with line ends of Windows', p8.replaceAll('\n', '\r\n')],
    ['with empty lines around', `\n${p8}\n\n`],
    ['indented', p8.replace(/^/gm, '    ')],
    ['with \\n for line breaks', p8.replaceAll('\n', '\\n')],
    ['with \\\\n for line breaks', p8.replaceAll('\n', '\\\\n')],
    ['in quotes', `"${p8.replaceAll('\n', '\\r\\n')}"`],
    ['with blanks for line breaks', p8.replaceAll('\n', ' ')],
    ['on one line', p8.replaceAll('\n', '')],
    ['with text before', `Key ID: 2X9R4HXF34\n${p8}`],
    ['as Base64', Buffer.from(p8).toString('base64')],
    ['as Base64 in lines', Buffer.from(p8).toString('base64').replace(/.{76}/g, '$&\r\n')],
    ['without BEGIN and END', body],
    ['in DER', ec.export({ type: 'pkcs8', format: 'der' })],
  ])('is taken %s', (_, content) => {
    expect(readAppleApiKey(storeKeyTextOf({ buffer: Buffer.from(content) }))).toBe(p8);
  });

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
    expect(() => readAppleApiKey(text.toString())).toThrow(
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

  const doubled = json({ private_key: rsaPem.replaceAll('\n', '\\n') });
  const pretty = JSON.stringify(JSON.parse(json()), null, 2);
  it.each([
    ['with doubled line breaks in the key', doubled],
    ['with line breaks that are doubled twice', json({ private_key: rsaPem.replaceAll('\n', '\\\\n') })],
    ['with the key on one line', json({ private_key: rsaPem.replaceAll('\n', '') })],
    ['with blanks for line breaks in the key', json({ private_key: rsaPem.replaceAll('\n', ' ') })],
    ['with line ends of Windows in the key', json({ private_key: rsaPem.replaceAll('\n', '\r\n') })],
    ['with real line breaks in the key', pretty.replaceAll('\\n', '\n')],
    ['with real line breaks of Windows', pretty.replaceAll('\\n', '\n').replaceAll('\n', '\r\n')],
    ['with \\n between the members', pretty.replaceAll('\n', '\\n')],
    ['with a comma at the end of the object', json().replace('}', ',\n}')],
    ['with a comma after the object', `${pretty},\n`],
    ['as a string of JSON', JSON.stringify(json())],
    ['as Base64', Buffer.from(json()).toString('base64')],
    ['as Base64 with a byte order mark', Buffer.from(`\uFEFF${json()}`).toString('base64')],
  ])('is read %s', (_, text) => {
    expect(readGoogleServiceAccountKey(storeKeyTextOf({ buffer: Buffer.from(text) }))).toEqual({
      clientEmail: 'publisher@example.iam.gserviceaccount.com',
      privateKeyPem: rsaPem,
      keyId: 'abc123',
    });
  });

  it.each(['\\"', '\\', '"\\', ',', ', ', '-----BEGIN A-----', '{"', '\\n'])(
    'is refused at once when a file repeats %j',
    (part) => {
      const text = part.repeat((64 * 1024) / part.length);
      const before = performance.now();
      expect(() => readGoogleServiceAccountKey(text)).toThrow(/^file /);
      expect(() => readAppleApiKey(text)).toThrow(/^file /);
      expect(performance.now() - before).toBeLessThan(500);
    },
  );

  it('keeps commas, brackets and quotes within texts', () => {
    const text = `${json({ client_email: '"a,}"@example.com', project_id: ',]\\' }).slice(0, -1)},}`;
    expect(parseLenientJson(text)).toMatchObject({ client_email: '"a,}"@example.com', project_id: ',]\\' });
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
      rsa.export({ type: 'pkcs1', format: 'der' }),
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
