import { makeIdentity } from '../../../test/support/native-builds/keystores/identity.js';
import { jks } from '../../../test/support/native-builds/keystores/jks.js';
import { pkcs12 } from '../../../test/support/native-builds/keystores/pkcs12.js';
import { readAndroidCertificate } from './android-certificate-reader.js';
import { openCertificate } from './open-certificate.js';
import type { CertificateFile, OpenedReading } from './reading.js';

const identity = makeIdentity();
const PASSWORD = 'storepass';

function open(file: Buffer, opening: Partial<CertificateFile>): OpenedReading {
  const none = { platform: 'android', keyAlias: null, keyPassword: null } as const;
  return openCertificate(readAndroidCertificate, { ...none, password: PASSWORD, file, ...opening });
}
const failureOf = (reading: OpenedReading): object => ('failure' in reading ? reading.failure : {});

const formats = {
  JKS: (keyPassword?: string, password = PASSWORD) =>
    jks([{ alias: 'upload', identity, ...(keyPassword !== undefined && { keyPassword }) }], password),
  'PKCS#12': (keyPassword?: string, password = PASSWORD) =>
    pkcs12([{ alias: 'upload', identity, ...(keyPassword !== undefined && { keyPassword }) }], password),
};

describe.each(Object.entries(formats))('a keystore in the format %s', (_name, make) => {
  it.each(['\n', '\r\n', '\n\n'])('is opened without the line end %j of its password', (end) => {
    expect(open(make(), { password: PASSWORD + end })).toMatchObject({
      facts: { keyAlias: 'upload', password: PASSWORD, keyPassword: null },
    });
  });

  it('is opened without the line ends of both passwords', () => {
    const given = { password: `${PASSWORD}\n`, keyPassword: 'keypass\n' };
    expect(open(make('keypass'), given)).toMatchObject({
      facts: { password: PASSWORD, keyPassword: 'keypass' },
    });
  });

  it('takes a password of line ends alone for none', () => {
    expect(open(make(), { keyPassword: '\n' })).toMatchObject({ facts: { keyPassword: null } });
    expect(failureOf(open(make(), { password: '\r\n' }))).toEqual({
      field: 'password',
      message: 'password is required: it is the one of the keystore.',
    });
  });

  it('names the line end of a password that opens nothing', () => {
    expect(failureOf(open(make(), { password: 'wrong\n' }))).toEqual({
      field: 'password',
      message: 'password does not open the keystore, with or without the line end that it has.',
    });
    expect(failureOf(open(make('keypass'), { keyPassword: 'wrong\n' }))).toEqual({
      field: 'keyPassword',
      message: 'keyPassword does not open the key upload, with or without the line end that it has.',
    });
    expect(failureOf(open(make(), { password: 'wrong' }))).toEqual({
      field: 'password',
      message: 'password does not open the keystore.',
    });
  });

  it('says what else is wrong, once a password opens it', () => {
    expect(failureOf(open(make(), { password: `${PASSWORD}\n`, keyAlias: 'new' }))).toMatchObject({
      field: 'keyAlias',
    });
  });
});

it('keeps a line end that belongs to the password', () => {
  const file = formats.JKS(undefined, 'store\npass\n');
  expect(open(file, { password: 'store\npass\n' })).toMatchObject({ facts: { password: 'store\npass\n' } });
});

it('names the password of the key when Java cannot use that', () => {
  expect(failureOf(open(formats['PKCS#12']('keypass'), { keyPassword: 'sch\u00FCssel' }))).toMatchObject({
    field: 'keyPassword',
    message: expect.stringMatching(/^keyPassword must consist of ASCII characters/) as string,
  });
});
