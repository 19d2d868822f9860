import { generateKeyPairSync } from 'node:crypto';
import { makeAppleIdentity, makeP12 } from '../../../test/support/native-builds/apple/identity.js';
import { makeProfile } from '../../../test/support/native-builds/apple/profile.js';
import { damagedCopies } from '../../../test/support/native-builds/keystores/damaged-copies.js';
import { jks } from '../../../test/support/native-builds/keystores/jks.js';
import { pkcs12 } from '../../../test/support/native-builds/keystores/pkcs12.js';
import { readIosCertificate } from './ios-certificate-reader.js';
import type { CertificateFile, CertificateReading } from './reading.js';

const identity = makeAppleIdentity();
const other = makeAppleIdentity({ pair: 1 });
const opened = { password: 'storepass' };

function read(file: Buffer, opening: Partial<CertificateFile> = opened): CertificateReading {
  const none = { platform: 'ios', password: null, keyAlias: null, keyPassword: null } as const;
  return readIosCertificate({ ...none, file, ...opening });
}

/** The one sentence about a file that is refused. */
function sentence(field: string, ...[file, opening]: Parameters<typeof read>): string {
  const reading = read(file, opening);
  expect(reading).toEqual({ failure: { field, message: expect.stringMatching(/^[^\n]+\.$/) } });
  const { message } = (reading as { failure: { message: string } }).failure;
  expect(message).toContain(field);
  expect(message).not.toMatch(/keytool|sign Android|keystore of your app/);
  return message;
}

describe.each(['legacy', 'modern'] as const)('a %s .p12', (form) => {
  const make = (...[identities, password, options]: Parameters<typeof makeP12>): Buffer =>
    makeP12(identities, password, { form, ...options });

  it('is opened, and says what it holds', () => {
    expect(read(make(identity))).toEqual({
      facts: {
        type: 'production',
        expiresAt: new Date(identity.certificate.validTo),
        keyAlias: null,
        subject: 'CN=Apple Distribution: Example GmbH (A1B2C3D4E5), OU=A1B2C3D4E5, O=Example GmbH, C=DE',
        sha256Fingerprint: identity.sha256Fingerprint,
        teamId: 'A1B2C3D4E5',
        signingKey: null,
      },
    });
  });

  it('with a renewed certificate of the same key has the one that ends last', () => {
    const former = makeAppleIdentity({ days: 10 });
    const entries = [
      { alias: 'former', identity: former, isTrusted: true },
      { alias: 'renewed', identity },
    ];
    expect(read(pkcs12(entries, 'storepass'))).toMatchObject({
      facts: { sha256Fingerprint: identity.sha256Fingerprint },
    });
  });

  it.each([
    ['Apple Development: Erika Example (ZYXWV98765)', 'development'],
    ['iPhone Developer: Erika Example (ZYXWV98765)', 'development'],
    ['Apple Distribution: Example GmbH (A1B2C3D4E5)', 'production'],
    ['iPhone Distribution: Example GmbH (A1B2C3D4E5)', 'production'],
  ])('of %s is for %s', (commonName, type) => {
    const facts = { type, teamId: 'A1B2C3D4E5' };
    expect(read(make(makeAppleIdentity({ commonName })))).toMatchObject({ facts });
  });

  it('needs its password, which can be empty', () => {
    const file = make(identity);
    for (const password of [null, '']) {
      expect(sentence('password', file, { password })).toBe('password is required: the file has one.');
    }
    for (const password of ['wrong', 'Storepass', 'storepass ', 'x'.repeat(1000)]) {
      expect(sentence('password', file, { password })).toBe('password does not open the file.');
    }
    for (const password of [null, '']) expect(read(make(identity, ''), { password })).toHaveProperty('facts');
    expect(sentence('password', make(identity, ''))).toBe('password does not open the file.');
    expect(read(make(identity, 'süß€'), { password: 'süß€' })).toHaveProperty('facts');
  });

  it('needs exactly one key, with its certificate', () => {
    const certificates = make([], 'storepass');
    expect(sentence('file', certificates)).toContain('no private key, only certificates');
    expect(sentence('file', make([identity, other]))).toContain('file has 2 private keys');
    expect(sentence('file', make(identity, 'storepass', { hasNoCertificates: true }))).toContain(
      'a private key without its certificate',
    );
    const mixed = { ...identity, certificate: other.certificate };
    expect(sentence('file', make(mixed))).toContain('a private key without its certificate');
  });

  it('is refused when a part of it is missing, or damaged', () => {
    const file = make(identity);
    for (const length of [12, 30, 100, 700, file.length - 30, file.length - 1]) {
      expect(sentence('file', file.subarray(0, length))).toContain('damaged or incomplete');
    }
    for (const damaged of damagedCopies(file, 11)) expect(read(damaged)).toHaveProperty('failure');
  });
});

it('a certificate exported without its key is named', () => {
  const entries = [{ alias: 'Apple', identity, isTrusted: true }];
  expect(sentence('file', pkcs12(entries, 'storepass'))).toContain('no private key, only certificates');
});

it('the chain of a certificate does not matter', () => {
  const chain = [
    { alias: 'wwdr', identity: makeAppleIdentity({ pair: 1, commonName: 'Apple WWDR' }), isTrusted: true },
    { alias: 'mine', identity },
  ];
  const facts = { sha256Fingerprint: identity.sha256Fingerprint };
  expect(read(pkcs12(chain, 'storepass'))).toMatchObject({ facts });
});

it('a key with a password of its own is refused', () => {
  const file = pkcs12([{ alias: 'mine', identity, keyPassword: 'keypass' }], 'storepass');
  expect(sentence('password', file)).toBe('password opens the file, but not the private key in it.');
});

it('keyAlias and keyPassword are for Android', () => {
  const file = makeP12(identity);
  expect(sentence('keyAlias', file, { ...opened, keyAlias: 'upload' })).toContain('is for Android');
  expect(sentence('keyPassword', file, { ...opened, keyPassword: 'x' })).toContain('is for Android');
});

it.each([
  ['Apple Push Services: com.example.app', 'sends notifications'],
  ['Apple Development IOS Push Services: com.example.app', 'sends notifications'],
  ['Pass Type ID: pass.com.example', 'signs passes'],
  ['Developer ID Application: Example GmbH (A1B2C3D4E5)', 'for Macs'],
  ['Mac Developer: Erika Example (ZYXWV98765)', 'for Macs'],
  ['3rd Party Mac Developer Installer: Example GmbH (A1B2C3D4E5)', 'for Macs'],
  ['Apple Worldwide Developer Relations Certification Authority', 'an authority of Apple'],
  ['Upload', 'did not make for iOS apps'],
  ['Not Apple Distribution: x', 'did not make for iOS apps'],
  ['a\nApple Distribution: x', 'did not make for iOS apps'],
  ['x'.repeat(500), `the certificate ${'x'.repeat(60)}…, which`],
])('the certificate %s signs no iOS apps', (commonName, text) => {
  expect(sentence('file', makeP12(makeAppleIdentity({ commonName })))).toContain(text);
});

it.each([null, 'Example', 'a1b2c3d4e5', 'A1B2C3D4E5F'])('the team %s is none', (teamId) => {
  const commonName = 'Apple Distribution: Example';
  const message = sentence('file', makeP12(makeAppleIdentity({ teamId, commonName })));
  expect(message).toContain('no team of Apple');
});

it('is not opened with more iterations than are usual', () => {
  for (const iterations of [100_001, 2 ** 31 - 1]) {
    expect(sentence('file', makeP12(identity, 'storepass', { iterations }))).toContain(
      'more than 100000 iterations to open, the most that Slipway does: export it again from Keychain Access',
    );
  }
});

it('has a key that signs apps', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = privateKey.export({ type: 'pkcs8', format: 'der' });
  sentence('file', makeP12({ ...identity, key }));
});

describe('a file of another kind', () => {
  const p12 = makeP12(identity);
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const p8 = ec.export({ type: 'pkcs8', format: 'pem' }).toString();
  const pem = identity.certificate.toString();
  it.each([
    ['nothing', Buffer.alloc(0), 'is empty'],
    ['a JKS', jks([{ alias: 'upload', identity }], 'storepass'), 'keystore of Java'],
    ['a JCEKS', Buffer.from('cececece00000002', 'hex'), 'keystore of Java'],
    ['a BKS', Buffer.from('0000000200000014aabbccdd', 'hex'), 'keystore of Java'],
    ['an app', Buffer.from('504b030414000000', 'hex'), 'a zip or an app'],
    ['a profile', makeProfile(), 'is a provisioning profile: upload it as one'],
    ['a .cer', identity.certificate.raw, 'without its private key (.cer)'],
    ['a certificate as PEM', Buffer.from(pem), 'without its private key, as PEM'],
    ['a .p8', Buffer.from(p8), 'a private key alone, as PEM'],
    ['both as PEM', Buffer.from(pem + p8), 'openssl pkcs12 -export'],
    ['a request', Buffer.from('-----BEGIN CERTIFICATE REQUEST-----\n'), 'a request for a certificate'],
    ['Base64 text', Buffer.from(`${p12.toString('base64')}\n`), 'Base64'],
    ['text', Buffer.from('password=secret'), 'is no .p12'],
    ['zeros', Buffer.alloc(1000), 'is no .p12'],
  ])('%s is named', (_name, file, kind) => {
    for (const opening of [opened, {}]) expect(sentence('file', file, opening)).toContain(kind);
  });
});

it.each([
  ['nested deeply', `308080020103${'3080'.repeat(50_000)}`],
  ['of lengths that lie', '3084ffffffff0201033084ffffffff'],
  ['of thousands of empty elements', `30830100000201033082fff0${'3000'.repeat(30_000)}`],
])('a file %s is refused', (_name, hex) => {
  sentence('file', Buffer.from(hex, 'hex'));
});
