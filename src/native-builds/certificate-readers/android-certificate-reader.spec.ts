import { createPrivateKey, generateKeyPairSync, type JsonWebKey, X509Certificate } from 'node:crypto';
import { makeIdentity } from '../../../test/support/native-builds/keystores/identity.js';
import { damagedCopies } from '../../../test/support/native-builds/keystores/damaged-copies.js';
import { type Entry, jks } from '../../../test/support/native-builds/keystores/jks.js';
import { pkcs12 } from '../../../test/support/native-builds/keystores/pkcs12.js';
import { readAndroidCertificate } from './android-certificate-reader.js';
import type { CertificateFile, CertificateReading } from './reading.js';

const identity = makeIdentity();
const other = makeIdentity({ pair: 1 });
const upload: Entry = { alias: 'upload', identity };
const opened = { password: 'storepass' };

function read(file: Buffer, opening: Partial<CertificateFile> = opened): CertificateReading {
  const none = { platform: 'android', password: null, keyAlias: null, keyPassword: null } as const;
  return readAndroidCertificate({ ...none, file, ...opening });
}

/** The one sentence about a file that is refused. */
function sentence(field: string, ...[file, opening]: Parameters<typeof read>): string {
  const reading = read(file, opening);
  expect(reading).toEqual({ failure: { field, message: expect.stringMatching(/^[^\n]+\.$/) } });
  const { message } = (reading as { failure: { message: string } }).failure;
  expect(message).toContain(field);
  return message;
}

const formats = {
  JKS: (entries: Entry[], password = 'storepass') => jks(entries, password),
  'PKCS#12': (entries: Entry[], password = 'storepass') => pkcs12(entries, password),
};
const trusted: Entry = { alias: 'authority', identity: other, isTrusted: true };

describe.each(Object.entries(formats))('a keystore in the format %s', (_name, make) => {
  it('is opened, and says what it holds', () => {
    expect(read(make([upload]))).toEqual({
      facts: {
        type: 'production',
        expiresAt: new Date(identity.certificate.validTo),
        keyAlias: 'upload',
        subject: 'CN=Upload, O=Example, C=DE',
        sha256Fingerprint: identity.certificate.fingerprint256,
        teamId: null,
        signingKey: null,
      },
    });
  });

  it('of the debug key is for development', () => {
    const names = [['CN', 'Android Debug']] as const;
    const debug = make([{ alias: 'androiddebugkey', identity: makeIdentity({ names }) }], 'android');
    expect(read(debug, { password: 'android' })).toMatchObject({ facts: { type: 'development' } });
  });

  it.each(['491399000000Z', '480230000000Z', '000000000000Z'])(
    'needs an expiry that is a time, and not %s',
    (time) => {
      const bytes = Buffer.from(makeIdentity({ days: 100 }).certificate.raw);
      // The tag and the length of a time, which the certificate has twice: its beginning and its end.
      const begin = bytes.indexOf(Buffer.from([0x17, 13]));
      bytes.write(time, bytes.indexOf(Buffer.from([0x17, 13]), begin + 1) + 2, 'latin1');
      const certificate = new X509Certificate(bytes);
      expect(sentence('file', make([{ ...upload, identity: { ...identity, certificate } }]))).toContain(
        'no valid time',
      );
    },
  );

  it('needs the right password', () => {
    const file = make([upload]);
    expect(sentence('password', file, {})).toContain('is required');
    for (const password of ['wrong', 'Storepass', 'storepass ', 'x'.repeat(1000)]) {
      expect(sentence('password', file, { password })).toBe('password does not open the keystore.');
    }
  });

  it('can have another password for the key', () => {
    const file = make([{ ...upload, keyPassword: 'keypass' }]);
    expect(read(file, { ...opened, keyPassword: 'keypass' })).toHaveProperty('facts');
    expect(sentence('keyPassword', file)).toBe(
      'keyPassword is required: password opens the keystore, but not the key upload.',
    );
    expect(sentence('keyPassword', file, { ...opened, keyPassword: 'wrong' })).toBe(
      'keyPassword does not open the key upload.',
    );
    expect(sentence('keyPassword', make([upload]), { ...opened, keyPassword: 'wrong' })).toBe(
      'keyPassword does not open the key upload, but password does: leave keyPassword out.',
    );
  });

  it('with several keys needs the alias of one, ignoring case', () => {
    const file = make([upload, { alias: 'old', identity: other }, trusted]);
    expect(sentence('keyAlias', file)).toBe('keyAlias is required: the keystore has the keys upload, old.');
    expect(sentence('keyAlias', file, { ...opened, keyAlias: 'new' })).toBe(
      'keyAlias is not in the keystore, which has the keys upload, old.',
    );
    expect(sentence('keyAlias', file, { ...opened, keyAlias: 'Authority' })).toBe(
      'keyAlias is a certificate without a private key, which has the keys upload, old.',
    );
    expect(read(file, { ...opened, keyAlias: 'OLD' })).toMatchObject({
      facts: { keyAlias: 'old', sha256Fingerprint: other.certificate.fingerprint256 },
    });
    expect(sentence('keyAlias', make([upload]), { ...opened, keyAlias: 'new' })).toContain('the key upload.');
  });

  it('lists ten aliases at most, whatever they hold', () => {
    const many = Array.from({ length: 14 }, (_, n) => ({ alias: `key${n}`, identity }));
    expect(sentence('keyAlias', make(many))).toMatch(/key0, key1, .*, key9 and 4 more\.$/);
    const hostile = [
      { alias: 'a\n\u202eb\0', identity },
      { alias: 'x'.repeat(5000), identity },
    ];
    expect(sentence('keyAlias', make(hostile))).toContain(`a??b?, ${'x'.repeat(60)}….`);
  });

  it('needs a key of one name that can be stored', () => {
    expect(sentence('file', make([trusted]))).toBe(
      'file has no private key, only certificates: upload the keystore that signs your app.',
    );
    expect(sentence('keyAlias', make([trusted]), { ...opened, keyAlias: 'Authority' })).toBe(
      'keyAlias is a certificate without a private key, and file has only certificates: upload the keystore that signs your app.',
    );
    expect(sentence('file', make([trusted]), { ...opened, keyAlias: 'upload' })).toContain('no private key');
    expect(sentence('file', make([]))).toContain('no private key');
    for (const alias of ['', 'a\0', 'x'.repeat(256), '\u2028']) {
      expect(sentence('file', make([{ alias, identity }]))).toContain('rename it');
    }
    const twins = make([upload, { alias: 'Upload', identity: other }]);
    expect(sentence('file', twins, { ...opened, keyAlias: 'upload' })).toContain('several keys');
  });

  it('needs an alias that the tools that sign take for no option', () => {
    expect(sentence('file', make([{ alias: '-key', identity }]))).toBe(
      'file has the key -key, whose alias begins with "-", which the tools that sign take for an option: rename it with keytool -changealias.',
    );
    expect(sentence('file', make([{ alias: '@key', identity }]))).toContain(
      'file has the key @key, whose alias begins with "@", which the tools that sign take for a file with arguments',
    );
    // Others in the file do not matter.
    expect(
      read(make([upload, { alias: '-key', identity }]), { ...opened, keyAlias: 'upload' }),
    ).toHaveProperty('facts');
    for (const alias of ['my-key', 'a@b', "it's", 'my app', 'Schlüssel']) {
      expect(read(make([{ alias, identity }]))).toHaveProperty('facts');
    }
  });

  it('needs a key that can sign', () => {
    const partsOf = (key: Buffer): JsonWebKey =>
      createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
    const { n, e } = partsOf(identity.key);
    const parts = { ...partsOf(other.key), n, e };
    const damaged = createPrivateKey({ key: parts, format: 'jwk' });
    const key = damaged.export({ type: 'pkcs8', format: 'der' });
    expect(sentence('file', make([{ alias: 'upload', identity: { ...identity, key } }]))).toContain(
      'file has a key that cannot sign',
    );
  });

  it('needs the certificate of its key', () => {
    const mixed = { key: identity.key, certificate: other.certificate };
    expect(sentence('file', make([{ alias: 'upload', identity: mixed }]))).toContain(
      'no certificate of the key',
    );
  });

  it('has at most 200 entries', () => {
    const many = Array.from({ length: 201 }, (_, n) => ({ ...trusted, alias: `a${n}` }));
    expect(sentence('file', make(many))).toContain('file has 201 entries, and at most 200');
  });

  it('is refused when a part of it is missing, or damaged', () => {
    const file = make([upload]);
    for (const length of [12, 20, 100, 700, file.length - 30, file.length - 1]) {
      expect(sentence('file', file.subarray(0, length))).toContain('damaged or incomplete');
    }
    for (const damaged of damagedCopies(file, 7)) expect(read(damaged)).toHaveProperty('failure');
  });

  it('of Apple is refused', () => {
    for (const name of ['Apple Distribution: Example (ABC)', 'iPhone Developer: A B (C)']) {
      const file = make([{ alias: 'x', identity: makeIdentity({ names: [['CN', name]] }) }]);
      expect(sentence('file', file)).toContain('certificate of Apple');
    }
  });

  it('has a key that signs apps', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = privateKey.export({ type: 'pkcs8', format: 'der' });
    sentence('file', make([{ alias: 'x', identity: { ...identity, key } }]));
  });
});

describe('PKCS#12', () => {
  it('is opened with every usual encryption, and without authentication', () => {
    for (const algorithm of ['3des', 'aes128', 'aes256'] as const) {
      expect(read(pkcs12([upload], 'storepass', { algorithm }))).toHaveProperty('facts');
    }
    const file = pkcs12([upload], 'storepass', { hasMac: false });
    expect(read(file)).toHaveProperty('facts');
    expect(read(file, { password: 'wrong' })).toHaveProperty('failure');
  });

  it('names keys as Java does when they have no names', () => {
    const options = { isUnnamed: true };
    expect(read(pkcs12([upload], 'storepass', options))).toMatchObject({ facts: { keyAlias: '1' } });
    const two = pkcs12([upload, { alias: '', identity: other }], 'storepass', options);
    expect(sentence('keyAlias', two)).toContain('the keys 1, 2.');
  });

  it('is not opened with more iterations than are usual', () => {
    for (const iterations of [100_001, 5_000_000, 2 ** 31 - 1]) {
      const file = pkcs12([upload], 'storepass', { iterations });
      expect(sentence('file', file)).toContain('more than 100000 iterations');
    }
    expect(sentence('file', pkcs12([upload], 'storepass', { iterations: 0 }))).toContain('damaged');
  });

  it('with a password that Java cannot use is refused', () => {
    expect(sentence('password', pkcs12([upload], 'süß'), { password: 'süß' })).toContain('ASCII');
    const legacy = pkcs12([upload], 'süß', { algorithm: '3des' });
    expect(read(legacy, { password: 'süß' })).toHaveProperty('facts');
  });
});

describe('a file of another kind', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keystore = jks([upload], 'storepass');
  it.each([
    ['JCEKS', Buffer.from('cececece00000002', 'hex'), 'type JCEKS', '-deststoretype PKCS12'],
    ['BKS', Buffer.from('0000000200000014aabbccdd', 'hex'), 'type BKS', '-deststoretype PKCS12'],
    ['an older BKS', Buffer.from('0000000100000014aabbccdd', 'hex'), 'type BKS', '-deststoretype PKCS12'],
    ['an app', Buffer.from('504b030414000000', 'hex'), 'zip or an app', 'upload the keystore'],
    ['a key as PEM', Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })), 'PEM', 'openssl'],
    ['a certificate as PEM', Buffer.from(identity.certificate.toString()), 'public certificate', 'upload'],
    ['a certificate', identity.certificate.raw, 'public certificate', 'upload the keystore'],
    ['a key', privateKey.export({ type: 'pkcs8', format: 'der' }), 'no keystore', 'upload'],
    ['Base64 text', Buffer.from(`${keystore.toString('base64')}\n`), 'Base64', 'base64 -d'],
    ['text', Buffer.from('storePassword=secret'), 'no keystore', 'upload'],
    ['nothing', Buffer.alloc(0), 'empty', 'upload'],
    ['zeros', Buffer.alloc(1000), 'no keystore', 'upload'],
  ])('%s is named', (_name, file, kind, remedy) => {
    const message = sentence('file', file, {});
    expect(message).toContain(kind);
    expect(message).toContain(remedy);
  });
});

it.each([
  ['nested deeply', `308080020103${'3080'.repeat(50_000)}`],
  ['of lengths that lie', '3084ffffffff0201033084ffffffff'],
  ['of thousands of empty elements', `30830100000201033082fff0${'3000'.repeat(30_000)}`],
  ['of a JKS with billions of entries', 'feedfeed00000002ffffffff'],
  [
    'of a JKS with billions of certificates',
    `feedfeed0000000200000001000000010001610000000000000000${'00000000ffffffff'}`,
  ],
])('a file %s is refused', (_name, hex) => {
  sentence('file', Buffer.from(hex, 'hex'));
});
