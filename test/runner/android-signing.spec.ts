import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PodSandbox } from '../../src/runner/kubernetes/pod-sandbox.js';
import { NoSandbox } from '../../src/runner/sandbox/none.js';
import { someOf } from '../setup/depth.js';
import { makeAab } from '../support/native-builds/aab-writer.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { hasAndroidTools } from '../support/runners/android/android-tools.js';
import {
  KEY_PASSWORD,
  makeKeystore,
  STORE_PASSWORD,
  type TestKeystore,
} from '../support/runners/android/keystores.js';
import { SigningBench, signersOf, verifyApk } from '../support/runners/android/signing-bench.js';
import { makeUnsignedApk } from '../support/runners/android/unsigned-apk.js';
import { readZip } from '../support/runners/build-bench.js';
import { hasSandbox, options } from '../support/runners/sandbox/jobs.js';

const describeSigning = hasAndroidTools && hasSandbox ? describe : describe.skip;

describeSigning('signing Android packages', () => {
  let bench: SigningBench;
  let jks: TestKeystore;
  let apk: Buffer;

  beforeAll(async () => {
    bench = new SigningBench();
    jks = await makeKeystore('JKS', [{ alias: 'upload', keyPassword: KEY_PASSWORD }], {
      keyPassword: KEY_PASSWORD,
    });
    apk = await makeUnsignedApk();
  });
  afterAll(() => bench.remove());
  afterEach(() => {
    // Neither keys nor what was signed with them.
    expect(readdirSync(bench.folders.root).toSorted()).toEqual(['artifacts', 'cache', 'home', 'repo']);
  });

  const hex = (keystore: TestKeystore, alias: string): string =>
    keystore.fingerprints[alias]!.replaceAll(':', '').toLowerCase();

  it('signs an APK with schemes 1 to 3 and aligns it', async () => {
    const { error, path, log } = await bench.sign({ type: 'apk', bytes: apk, certificate: jks.certificate });
    expect(error).toBeNull();
    const verified = verifyApk(path);
    for (const scheme of ['v1', 'v2', 'v3']) {
      expect(verified).toMatch(new RegExp(`^Verified using ${scheme} scheme .*: true$`, 'm'));
    }
    expect(verified).toContain('Number of signers: 1\n');
    expect(verified).toContain(`certificate SHA-256 digest: ${hex(jks, 'upload')}\n`);
    expect(spawnSync('zipalign', ['-c', '-p', '4', path]).status).toBe(0);
    expect(log).toContain(`with the certificate CN=upload, O=Acme, SHA-256 ${jks.fingerprints['upload']}\n`);
    expect(log).toMatch(/^Signed and verified app-\d+\.apk: v1, v2, v3$/m);
    expect(readdirSync(bench.folders.artifacts).filter((name) => name.includes('idsig'))).toEqual([]);
  });

  it('leaves out scheme 1 where no device needs it', async () => {
    const { log, path } = await bench.sign({
      type: 'apk',
      bytes: await makeUnsignedApk(28),
      certificate: jks.certificate,
    });
    expect(log).toMatch(/^Signed and verified app-\d+\.apk: v2, v3$|: v3$/m);
    expect(verifyApk(path)).toContain('Number of signers: 1\n');
  });

  it('signs an APK that has another signature', async () => {
    const other = await makeKeystore('PKCS12', [{ alias: 'debug', type: 'EC' }]);
    const first = await bench.sign({ type: 'apk', bytes: apk, certificate: other.certificate });
    expect(first.error).toBeNull();
    const second = await bench.sign({ type: 'apk', bytes: first.bytes, certificate: jks.certificate });
    expect(second.error).toBeNull();
    const verified = verifyApk(second.path);
    expect(verified).toContain('Number of signers: 1\n');
    expect(verified).not.toContain(hex(other, 'debug'));
    expect(Object.keys(await readZip(second.path)).filter((name) => /\.(RSA|EC)$/.test(name))).toHaveLength(
      1,
    );
  });

  it.each(['RSA', 'EC'] as const)(
    'gives an app bundle that is signed with a debug key one signer: %s',
    async (type) => {
      const store = await makeKeystore('PKCS12', [{ alias: 'play', type }]);
      const signed = await makeAab({ signed: true });
      const { path, error, log } = await bench.sign({
        type: 'aab',
        bytes: signed,
        certificate: store.certificate,
      });
      expect(error).toBeNull();
      const signers = signersOf(path);
      expect(signers.match(/^Signer #/gm)).toHaveLength(1);
      expect(signers).toContain(store.fingerprints['play']);
      const files = Object.keys(await readZip(path)).filter((name) => name.startsWith('META-INF/'));
      const expected = ['META-INF/MANIFEST.MF', `META-INF/PLAY.${type}`, 'META-INF/PLAY.SF'];
      expect(files.toSorted()).toEqual(expected.toSorted());
      expect(log).toContain('in place of 3 files of an earlier signature\n');
      const check = spawnSync('jarsigner', ['-verify', path], { encoding: 'utf8' });
      expect([check.status, check.stdout]).toEqual([0, expect.stringContaining('jar verified.')]);
    },
  );

  it('keeps the contents of an app bundle and how they are packed', async () => {
    const bytes = await makeAab({ entries: { 'base/assets/große.txt': Buffer.from('x'.repeat(10_000)) } });
    const { path } = await bench.sign({ type: 'aab', bytes, certificate: jks.certificate });
    const before = join(await temporaryFolder(), 'before.aab');
    writeFileSync(before, bytes);
    const packed = (file: string): string[] =>
      execFileSync('python3', ['-c', LIST_ZIP, file], { encoding: 'utf8' }).trim().split('\n');
    expect(packed(path).filter((line) => !line.startsWith('META-INF/'))).toEqual(packed(before));
    const { 'base/assets/große.txt': text } = await readZip(path);
    expect(text).toBe('x'.repeat(10_000));
  });

  it('takes the key that is named of several, ignoring case', async () => {
    const keys = [{ alias: 'first' }, { alias: 'Second', type: 'EC' as const }];
    for (const type of ['JKS', 'PKCS12'] as const) {
      const store = await makeKeystore(type, keys, { keyAlias: 'SECOND' });
      const { path, error } = await bench.sign({
        type: 'aab',
        bytes: await makeAab(),
        certificate: store.certificate,
      });
      expect(error).toBeNull();
      expect(signersOf(path)).toContain(store.fingerprints['Second']);
    }
  });

  it.each(['no sandbox', 'pod'])('signs with ordinary processes, and leaves no key: %s', async (kind) => {
    const keysDir = await temporaryFolder();
    const pod = { socket: '/none', startSeconds: 1, signingMiB: 1024, keysDir, npmRegistry: null };
    const plain = new SigningBench(kind === 'pod' ? new PodSandbox(pod) : new NoSandbox(options));
    process.env['JAVA_TOOL_OPTIONS'] = '-Dplanted=true';
    const { error, path, log } = await plain.sign({ type: 'apk', bytes: apk, certificate: jks.certificate });
    delete process.env['JAVA_TOOL_OPTIONS'];
    expect([error, log]).toEqual([null, expect.not.stringContaining('planted')]);
    expect(verifyApk(path)).toContain('Number of signers: 1\n');
    expect(readdirSync(plain.folders.root).toSorted()).toEqual(['artifacts', 'cache', 'home', 'repo']);
    expect(readdirSync(keysDir)).toEqual([]);
    await plain.remove();
  });

  it('signs several packages with one certificate at once', async () => {
    const aab = await makeAab();
    const results = await Promise.all(
      [apk, aab, apk].map((bytes) =>
        bench.sign({ type: bytes === aab ? 'aab' : 'apk', bytes, certificate: jks.certificate }),
      ),
    );
    expect(results.map(({ error }) => error)).toEqual([null, null, null]);
  });

  describe('refuses', () => {
    const refusals: readonly (readonly [string, () => Promise<TestKeystore['certificate']>, RegExp])[] = [
      [
        'a wrong password of a JKS',
        async () => ({ ...jks.certificate, password: 'wrong 71c2' }),
        /^The password of the certificate does not open its keystore\.$/,
      ],
      [
        'a wrong password of a PKCS#12',
        async () => (await makeKeystore('PKCS12', [{ alias: 'a' }], { password: 'wrong 71c2' })).certificate,
        /^The password of the certificate does not open its keystore\.$/,
      ],
      [
        'a wrong key password',
        async () => ({ ...jks.certificate, keyPassword: 'wrong 71c2' }),
        /^The key password of the certificate does not open the key "upload"\.$/,
      ],
      [
        'the store password for a key that has another',
        async () => ({ ...jks.certificate, keyPassword: null }),
        /^The key password of the certificate does not open the key "upload"\.$/,
      ],
      [
        'a keystore with several keys, and none named',
        async () => (await makeKeystore('PKCS12', [{ alias: 'a' }, { alias: 'b' }])).certificate,
        /^The keystore has 2 keys \(a, b\): set keyAlias of the certificate\.$/,
      ],
      [
        'an alias that it does not have',
        async () => ({ ...jks.certificate, keyAlias: 'other' }),
        /^The keystore has no key "other": it has upload\.$/,
      ],
      [
        'a truncated keystore',
        async () => ({
          ...jks.certificate,
          file: Buffer.from(jks.certificate.file, 'base64').subarray(0, 900).toString('base64'),
        }),
        /^The keystore of the certificate cannot be read: its file is damaged or incomplete\.$/,
      ],
      [
        'a file that is no keystore',
        async () => ({ ...jks.certificate, file: Buffer.from('not a keystore at all').toString('base64') }),
        /^The file of the certificate is no keystore that Java reads: use PKCS#12 or JKS\.$/,
      ],
    ];

    it.each(someOf(refusals))('%s', async (_name, certificateOf, message) => {
      const certificate = await certificateOf();
      for (const [type, bytes] of [
        ['apk', apk],
        ['aab', await makeAab()],
      ] as const) {
        const { error, log, bytes: after } = await bench.sign({ type, bytes, certificate });
        expect(error).toMatchObject({ step: 'sign', message: expect.stringMatching(message) });
        for (const secret of ['wrong 71c2', STORE_PASSWORD, KEY_PASSWORD]) {
          expect(`${(error as Error).message}${log}`).not.toContain(secret);
        }
        expect(log).not.toContain('Signed');
        expect(after.equals(bytes)).toBe(true);
      }
    });

    it('what is no APK', async () => {
      for (const bytes of [Buffer.from('x'), apk.subarray(0, apk.length - 100), await makeAab()]) {
        const { error } = await bench.sign({ type: 'apk', bytes, certificate: jks.certificate });
        expect(error).toMatchObject({ step: 'sign' });
      }
    });
  });
});

/** Prints each file of a zip with its method, its size and its checksum. */
const LIST_ZIP = `
import sys, zipfile
for i in zipfile.ZipFile(sys.argv[1]).infolist(): print(i.filename, i.compress_type, i.file_size, i.CRC)`;
