import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAppleIdentity, makeP12 } from '../../../../../../test/support/native-builds/apple/identity.js';
import { temporaryFolder } from '../../../../../../test/support/processes/temporary-folders.js';
import { openPkcs12 } from '../../../../../common/keystores/pkcs12-keystore.js';
import type { PayloadCertificateDto } from '../../../../../native-builds/runner-builds/build-payload.dto.js';
import { readIdentity } from '../identity.js';
import { legacyPkcs12 } from './legacy-pkcs12.js';

const PASSWORD = 'job password';

/** What OpenSSL says about a file. @param options such as `-info` */
async function openssl(file: Buffer, ...options: string[]): Promise<string> {
  const path = join(await temporaryFolder(), 'key.p12');
  writeFileSync(path, file);
  const args = ['pkcs12', '-in', path, '-legacy', '-passin', 'env:PASSWORD', '-nodes', ...options];
  const shell = ['-c', 'exec openssl "$@" 2>&1', 'sh', ...args];
  return execFileSync('sh', shell, { env: { ...process.env, PASSWORD }, encoding: 'utf8' });
}

function identityOf(file: Buffer, password: string | null) {
  return readIdentity({ file: file.toString('base64'), password } as PayloadCertificateDto);
}

it.each(['legacy', 'modern'] as const)('writes a %s file in the legacy form', async (form) => {
  const identity = makeAppleIdentity();
  const file = legacyPkcs12(identityOf(makeP12(identity, 'storepass', { form }), 'storepass'), PASSWORD);

  const info = await openssl(file, '-info', '-noout');
  expect(info).toMatch(/MAC: sha1, Iteration 2048/);
  expect(info.match(/pbeWithSHA1And3-KeyTripleDES-CBC, Iteration 2048/g)).toHaveLength(2);

  const text = await openssl(file);
  expect(new X509Certificate(text).fingerprint256).toBe(identity.sha256Fingerprint);
  expect(text).toMatch('-----BEGIN PRIVATE KEY-----');
  const reopened = identityOf(file, PASSWORD);
  expect(reopened).toMatchObject({ sha1: identity.sha1, commonName: identity.commonName, issuers: [] });
  expect(reopened.key.export({ type: 'pkcs8', format: 'der' }).equals(identity.key)).toBe(true);
  expect(() => identityOf(file, 'storepass')).toThrow('does not open');
});

it('keeps the issuers of the certificate, and nothing else of the file', async () => {
  const folder = await temporaryFolder();
  const sh = (script: string) => execFileSync('sh', ['-ec', script], { cwd: folder, stdio: 'pipe' });
  sh(`
    ca='basicConstraints=critical,CA:TRUE'
    openssl req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -subj '/CN=Root' -addext "$ca"
    openssl req -newkey rsa:2048 -nodes -keyout ca.key -out ca.csr -subj '/CN=WWDR' -addext "$ca"
    openssl x509 -req -in ca.csr -CA root.pem -CAkey root.key -out ca.pem -copy_extensions copy
    openssl req -utf8 -newkey rsa:2048 -nodes -keyout key.pem -out key.csr -subj '/OU=A1B2C3D4E5/CN=Zoë 漢'
    openssl x509 -req -in key.csr -CA ca.pem -CAkey ca.key -out leaf.pem
    openssl req -x509 -newkey rsa:2048 -nodes -keyout x.key -out x.pem -subj '/CN=Unrelated'
    cat ca.pem root.pem x.pem > more.pem
    openssl pkcs12 -export -inkey key.pem -in leaf.pem -certfile more.pem -passout pass:secret -out all.p12`);
  const read = execFileSync('cat', [join(folder, 'all.p12')]);
  const identity = identityOf(read, 'secret');
  expect(identity.teamId).toBe('A1B2C3D4E5');
  expect(identity.issuers.map(({ subject }) => subject)).toEqual(['CN=WWDR']);

  const { certificates, keys } = openPkcs12(legacyPkcs12(identity, PASSWORD), PASSWORD);

  expect(keys).toHaveLength(1);
  const subjects = certificates.map((der) => new X509Certificate(der).subject);
  expect(subjects).toEqual(['OU=A1B2C3D4E5\nCN=Zoë 漢', 'CN=WWDR']);
});

it('takes keys of other kinds than RSA', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { certificate, sha1, commonName } = makeAppleIdentity();
  const file = legacyPkcs12({ key: privateKey, certificate, issuers: [], sha1, commonName }, PASSWORD);
  expect(createHash('sha1').update(certificate.raw).digest('hex').toUpperCase()).toBe(sha1);
  expect(await openssl(file)).toMatch('-----BEGIN PRIVATE KEY-----');
});
