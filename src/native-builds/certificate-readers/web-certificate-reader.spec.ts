import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readWebCertificate } from './web-certificate-reader.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const cipher = { cipher: 'aes-256-cbc', passphrase: 'süß' } as const;
const signingKey = privateKey.export({ type: 'pkcs8', format: 'der' });
const none = {
  type: null,
  expiresAt: null,
  keyAlias: null,
  subject: null,
  sha256Fingerprint: null,
  teamId: null,
};
const facts = { facts: { ...none, signingKey } };

function read(pem: string | Buffer, password: string | null = null): unknown {
  const web = { platform: 'web', keyAlias: null, keyPassword: null } as const;
  return readWebCertificate({ ...web, file: Buffer.from(pem), password });
}
const pemOf = (type: 'pkcs1' | 'pkcs8', encryption: object = {}): string =>
  privateKey.export({ type, format: 'pem', ...encryption }).toString();
const failing = (field: string): unknown => ({ failure: { field, message: expect.stringContaining(field) } });

describe('the reader of web certificates', () => {
  it.each(['pkcs1', 'pkcs8'] as const)('opens %s, in the clear and encrypted', (type) => {
    expect(read(pemOf(type))).toEqual(facts);
    expect(read(`# My key\r\n${pemOf(type).replaceAll('\n', '\r\n')}`)).toEqual(facts);
    expect(read(pemOf(type, cipher), 'süß')).toEqual(facts);
  });

  it.each(['pkcs1', 'pkcs8'] as const)('names the password of %s as what is wrong', (type) => {
    const encrypted = pemOf(type, cipher);
    for (const password of [null, 'wrong', 'x'.repeat(2000)]) {
      expect(read(encrypted, password)).toEqual(failing('password'));
    }
    expect(read(pemOf(type), 'not needed')).toEqual(failing('password'));
  });

  it('refuses other keys, and what is no key', () => {
    const others: KeyObject[] = [
      generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
      generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey,
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
      generateKeyPairSync('ed25519').privateKey,
    ];
    const files = [
      ...others.map((key) => key.export({ type: 'pkcs8', format: 'pem' })),
      publicKey.export({ type: 'spki', format: 'pem' }),
      privateKey.export({ type: 'pkcs8', format: 'der' }),
      pemOf('pkcs8').slice(0, 500),
      pemOf('pkcs8').replace('MII', 'MIJ'),
      '-----BEGIN PRIVATE KEY-----',
      '',
      Buffer.alloc(1000),
    ];
    for (const file of files) expect(read(file)).toEqual(failing('file'));
  });

  it('refuses what is for keystores', () => {
    const file = Buffer.from(pemOf('pkcs8'));
    const web = { platform: 'web', file, password: null } as const;
    expect(readWebCertificate({ ...web, keyAlias: 'upload', keyPassword: null })).toEqual(
      failing('keyAlias'),
    );
    expect(readWebCertificate({ ...web, keyAlias: null, keyPassword: 'x' })).toEqual(failing('keyPassword'));
  });
});
