import { chooseKey, parseKeys, parseSigners } from './keystore.js';
import { parseVerification } from './sign-apk.js';

const PEM = `-----BEGIN CERTIFICATE-----
MIIBMzCB2aADAgECAggy/dqEdIYmRTAKBggqhkjOPQQDAjAOMQwwCgYDVQQDEwNP
bmUwHhcNMjYxMTI0MDYyNzA2WhcNMjcwMjIyMDYyNzA2WjAOMQwwCgYDVQQDEwNP
bmUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARXkBu2Ebh12tvuZ9PSm2Gjwmcz
7yEvbdD8jibkk0f4sMztC00tGfKpJUzV+kPvrxo2O1p9nIWxMuVHnBgmz2CyoyEw
HzAdBgNVHQ4EFgQUWYgPaFvlM3GH0kUE1hKfzO0f5BEwCgYIKoZIzj0EAwIDSQAw
RgIhAIM+kYUZK3benkOuuY6ifuq6IFkzBvo3HazOufEPiRZhAiEAqMHksV3Ts1JM
SQbfcDL51b50AyV9nWe9tGXd7/8hU5Y=
-----END CERTIFICATE-----`;
const entry = (alias: string, type = 'PrivateKeyEntry', pem = PEM): string =>
  `Alias name: ${alias}\nCreation date: Nov 24, 2026\nEntry type: ${type}\nCertificate chain length: 1\nCertificate[1]:\n${pem}\n\n*******\n`;

it('finds the private keys in what keytool prints', () => {
  const output = `Keystore type: PKCS12\n\nYour keystore contains 3 entries\n\n${entry('one')}${entry('a ca', 'trustedCertEntry')}${entry('two words')}`;
  expect([...parseKeys(output)]).toEqual([
    ['one', PEM],
    ['two words', PEM],
  ]);
  expect(parseKeys('').size).toBe(0);
});

describe('chooseKey', () => {
  const keys = (...aliases: string[]): Map<string, string> => new Map(aliases.map((alias) => [alias, PEM]));

  it('takes the only key, or the one that is named, ignoring case', () => {
    expect(chooseKey(keys('upload'), null).alias).toBe('upload');
    expect(chooseKey(keys('first', 'upload'), ' UpLoad ').alias).toBe('upload');
    expect(chooseKey(keys('upload'), null).certificate.subject).toBe('CN=One');
  });

  it.each([
    [keys(), null, 'The keystore of the certificate has no private key, only certificates: upload the'],
    [keys(), 'a', 'The keystore of the certificate has no private key "a" (keyAlias), only certificates: '],
    [
      keys('-key'),
      null,
      'The alias "-key" of the certificate begins with "-", which the tools that sign take for an option: rename it with keytool -changealias, and upload the keystore again.',
    ],
    [keys('@key'), '@KEY', 'The alias "@key" of the certificate begins with "@", '],
    [keys('a', 'b'), null, 'The keystore has 2 keys (a, b): set keyAlias of the certificate.'],
    [keys('a', 'b'), 'c', 'The keystore has no key "c": it has a, b.'],
    [
      keys(...Array.from({ length: 12 }, (_, index) => `k${index}`)),
      null,
      'The keystore has 12 keys (k0, k1, k2, k3, k4, k5, k6, k7, k8, k9 and 2 more): set keyAlias of the certificate.',
    ],
    [new Map([['a', 'no PEM']]), 'a', 'The certificate in the keystore cannot be read.'],
  ])('refuses %j for %j', (all, alias, message) => {
    expect(() => chooseKey(all, alias)).toThrow(message);
  });
});

it('finds one certificate of each signer', () => {
  const signer = (number: number): string =>
    `Signer #${number}:\n\nCertificate #1:\nOwner\n\n${PEM}\n\nCertificate #2:\n${PEM}\n\n`;
  expect(parseSigners(`${signer(1)}${signer(2)}`)).toEqual([PEM, PEM]);
  expect(parseSigners('Not a signed jar file\n')).toEqual([]);
  expect(parseSigners('Signer #1:\nnothing\n')).toEqual(['']);
});

describe('parseVerification', () => {
  const digest = (letter: string): string => letter.repeat(64);

  it('reads schemes and signers', () => {
    const output = [
      'Verifies',
      'Verified using v1 scheme (JAR signing): true',
      'Verified using v2 scheme (APK Signature Scheme v2): true',
      'Verified using v3 scheme (APK Signature Scheme v3): false',
      'Verified using v3.1 scheme (APK Signature Scheme v3.1): true',
      'Verified using v4 scheme (APK Signature Scheme v4): true',
      'Verified for SourceStamp: true',
      'Number of signers: 1',
      `Signer #1 certificate SHA-256 digest: ${digest('a')}`,
      `Signer #1 certificate SHA-1 digest: ${'b'.repeat(40)}`,
      `Source Stamp Signer certificate SHA-256 digest: ${digest('c')}`,
    ];
    expect(parseVerification(output.join('\n'))).toEqual({
      schemes: ['v1', 'v2', 'v3.1'],
      signers: [digest('a')],
    });
  });

  it('finds every other signer', () => {
    const output = [
      `Signer #1 certificate SHA-256 digest: ${digest('a')}`,
      `Signer #2 certificate SHA-256 digest: ${digest('b')}`,
      `Signer (minSdkVersion=24, maxSdkVersion=32) certificate SHA-256 digest: ${digest('c')}`,
      `V2 Signer: certificate SHA-256 digest: ${digest('d')}`,
    ];
    expect(parseVerification(output.join('\n')).signers).toEqual(['a', 'b', 'c', 'd'].map(digest));
    expect(parseVerification('DOES NOT VERIFY\n')).toEqual({ schemes: [], signers: [] });
  });
});
