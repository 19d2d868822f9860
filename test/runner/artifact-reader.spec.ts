import { newLimits } from '../support/limits.js';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { ArtifactFile } from '../../src/native-builds/artifact-readers/artifact-facts.js';
import type * as BuiltService from '../../src/native-builds/artifact-readers/artifact-reader.service.js';
import type * as Built from '../../src/native-builds/artifact-readers/reader-process.js';
import { pngIcon } from '../support/native-builds/android/app-description.js';
import { makeApk } from '../support/native-builds/apk-writer.js';
import { readBytes } from '../support/native-builds/read-bytes.js';
import { stopChild, testPrograms } from '../support/processes/child-programs.js';
import { FRAMEWORK, hasAndroidTools } from '../support/runners/android/android-tools.js';

const readers = join(import.meta.dirname, '../../dist/src/native-builds/artifact-readers');
const PROGRAM = pathToFileURL(join(readers, 'artifact-process.js'));

describe('the process that reads an artifact', () => {
  let ReaderProcess: typeof Built.ReaderProcess;

  beforeAll(async () => {
    ({ ReaderProcess } = (await import(join(readers, 'reader-process.js'))) as typeof Built);
  });

  const inMemory = (type: ArtifactFile['type'], bytes: Buffer): ArtifactFile => ({
    type,
    sizeInBytes: bytes.length,
    openRange: ({ start, length }) => Promise.resolve(Readable.from([bytes.subarray(start, start + length)])),
  });
  const read = (file: ArtifactFile, limits = {}, program = PROGRAM): Promise<unknown> =>
    new ReaderProcess(program, file, { processorMs: 60_000, wallMs: 120_000, ...limits }).read();

  it('returns what the file says', async () => {
    const facts = { packageName: 'com.acme.shop', signer: { scheme: 'v3' } };
    const apk = await makeApk({ packageName: 'com.acme.shop', signed: 'v3' });
    expect(await read(inMemory('apk', apk))).toMatchObject({ facts });
  });

  it('ends when the file takes too much memory, or too much processor time', async () => {
    const file = inMemory('apk', await makeApk());
    const { hungry, busy } = await testPrograms();
    await expect(read(file, {}, hungry)).rejects.toMatchObject({ failure: 'died' });
    await expect(read(file, { processorMs: 500 }, busy)).rejects.toMatchObject({ failure: 'deadline' });
  });

  it('says nothing of the file when it does not get the processor', async () => {
    const file = inMemory('apk', await makeApk());
    const reading = read(file, { processorMs: 500, wallMs: 600 }, (await testPrograms()).stopped);
    await expect(reading).rejects.toMatchObject({ failure: 'busy' });
    const service = join(readers, 'artifact-reader.service.js');
    const { ArtifactReaderService } = (await import(service)) as typeof BuiltService;
    class ImpatientService extends ArtifactReaderService {
      protected override readonly limits = { processorMs: 1000, wallMs: 1000 };
    }
    const refused = new ImpatientService(newLimits())
      .read('organization', file)
      .catch((error: unknown) => error);
    await stopChild('artifact-process');
    expect(await refused).toMatchObject({ code: 'artifact_reader_busy', status: 503 });
  });

  it('says nothing of the file when the storage fails, or does not answer', async () => {
    const file = inMemory('apk', await makeApk());
    const cause = new Error('The storage is away.');
    const failing = { ...file, openRange: () => Promise.reject(cause) };
    await expect(read(failing)).rejects.toMatchObject({ failure: 'storage', cause });
    const silent = new PassThrough();
    await expect(
      read({ ...file, openRange: () => Promise.resolve(silent) }, { processorMs: 10_000 }),
    ).rejects.toMatchObject({
      failure: 'storage',
    });
    expect(silent.destroyed).toBe(true);
  });
});

/** Runs one of Android's tools. */
function run(folder: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const MANIFEST = `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.acme.shop"
    android:versionCode="42" android:versionName="@string/version">
  <uses-sdk android:minSdkVersion="24" android:targetSdkVersion="29" />
  <uses-feature android:name="android.software.leanback" android:required="true" />
  <uses-feature android:name="android.hardware.type.watch" android:required="false" />
  <application android:label="@string/app_name" android:icon="@drawable/icon" android:debuggable="true" />
</manifest>`;

(hasAndroidTools ? describe : describe.skip)('files that Android’s own tools make', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-apk-'));
    const texts = (name: string, version: string): string =>
      `<resources><string name="app_name">${name}</string>${version}</resources>`;
    const files: Record<string, string | Buffer> = {
      'AndroidManifest.xml': MANIFEST,
      'res/values/strings.xml': texts('Läden', '<string name="version">2.1</string>'),
      'res/values-fr/strings.xml': texts('Boutique', ''),
      'res/drawable-mdpi/icon.png': pngIcon(48),
      'res/drawable-xxhdpi/icon.png': pngIcon(144, [200, 0, 0]),
    };
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    const inFolder = (command: string, ...args: string[]): string => run(folder, command, ...args);
    inFolder(
      'aapt',
      'package',
      '-f',
      '-M',
      'AndroidManifest.xml',
      '-S',
      'res',
      '-I',
      FRAMEWORK,
      '-F',
      'unaligned.apk',
    );
    inFolder('zipalign', '-f', '-p', '4', 'unaligned.apk', 'aligned.apk');
    await writeFile(join(folder, 'pass'), 'store-password\n');
    const store = ['-keystore', 'release.p12', '-storepass:file', 'pass'];
    const key = ['-alias', 'upload', '-keyalg', 'EC', '-dname', 'CN=Upload, O=Acme', '-validity', '9000'];
    inFolder('keytool', '-genkeypair', '-storetype', 'PKCS12', ...store, ...key);
    inFolder(
      'apksigner',
      'sign',
      '--ks',
      'release.p12',
      '--ks-pass',
      'file:pass',
      '--min-sdk-version',
      '24',
      '--out',
      'signed.apk',
      'aligned.apk',
    );
    const old = ['--v2-signing-enabled', 'false', '--v3-signing-enabled', 'false', '--min-sdk-version', '21'];
    inFolder(
      'apksigner',
      'sign',
      '--ks',
      'release.p12',
      '--ks-pass',
      'file:pass',
      ...old,
      '--out',
      'old.apk',
      'aligned.apk',
    );
    inFolder('aapt2', 'compile', '--dir', 'res', '-o', 'compiled.zip');
    inFolder(
      'aapt2',
      'link',
      '--proto-format',
      '-I',
      FRAMEWORK,
      '--manifest',
      'AndroidManifest.xml',
      '-o',
      'proto.apk',
      'compiled.zip',
    );
    inFolder('unzip', '-q', 'proto.apk', '-d', 'base');
    inFolder('mkdir', 'base/manifest');
    inFolder('mv', 'base/AndroidManifest.xml', 'base/manifest/');
    inFolder('zip', '-qr', 'app.aab', 'base');
    inFolder('jarsigner', ...store, 'app.aab', 'upload');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const facts = {
    packageName: 'com.acme.shop',
    versionName: '2.1',
    versionCode: '42',
    minSdkVersion: 24,
    targetSdkVersion: 29,
    label: 'Läden',
    formFactor: 'tv',
    debuggable: true,
  };

  it.each([
    ['signed.apk', 'apk', 'v3'],
    ['old.apk', 'apk', 'v1'],
    ['app.aab', 'aab', 'v1'],
  ] as const)('are read as the tools read them: %s', async (name, type, scheme) => {
    const reading = await readBytes(type, await readFile(join(folder, name)));
    expect(reading).toMatchObject({
      facts: { ...facts, signer: { scheme, subject: 'O=Acme, CN=Upload' }, icon: { mimeType: 'image/png' } },
    });
    if (!('facts' in reading) || type === 'aab') return;
    const printed = run(folder, 'apksigner', 'verify', '--print-certs', '--min-sdk-version', '24', name);
    const digest = reading.facts.signer?.sha256?.replaceAll(':', '').toLowerCase();
    expect(printed).toContain(`certificate SHA-256 digest: ${digest}\n`);
  });

  it('agree with aapt', () => {
    const badging = run(folder, 'aapt', 'dump', 'badging', 'signed.apk');
    expect(badging).toContain("package: name='com.acme.shop' versionCode='42' versionName='2.1'");
    expect(badging).toContain("sdkVersion:'24'\ntargetSdkVersion:'29'\n");
    expect(badging).toContain("application-label:'Läden'");
    expect(badging).toContain("application-icon-480:'res/drawable-xxhdpi-v4/icon.png'");
  });

  it('take the icon for the highest density', async () => {
    const reading = await readBytes('apk', await readFile(join(folder, 'signed.apk')));
    const icon = 'facts' in reading ? reading.facts.icon?.bytes : null;
    // Width in the header of a PNG.
    expect(icon?.readUInt32BE(16)).toBe(144);
  });

  it('and the other way round: aapt reads what the tests write', async () => {
    await writeFile(
      join(folder, 'written.apk'),
      await makeApk({ packageName: 'com.acme.written', versionCode: 9 }),
    );
    expect(run(folder, 'aapt', 'dump', 'badging', 'written.apk')).toContain(
      "package: name='com.acme.written' versionCode='9' versionName='1.0.0'",
    );
  });
});
