import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { forbidden } from '../google-error.ts';
import { readBinaryManifest, readProtoManifest } from './manifest.ts';

/** What Google Play reads of an upload. */
export interface UploadedApp {
  readonly packageName: string;
  readonly versionCode: number;
}

const BUNDLETOOL =
  "We have failed to run 'bundletool build-apks' on this Android App Bundle. Please ensure your bundle is valid by running 'bundletool build-apks' locally and try again. Error message output:";
const SIGNATURE = /^META-INF\/[^/]+\.(RSA|DSA|EC)$/i;
const MANIFESTS = { aab: 'base/manifest/AndroidManifest.xml', apk: 'AndroidManifest.xml' };

/**
 * Reads an aab or apk, and checks what Google Play checks at the end of an upload. The sentences:
 * tramlinehq/tramline app/libs/installations/google/play_developer/error.rb
 *
 * @throws GoogleError 403
 */
export async function readUploadedApp(path: string, kind: 'aab' | 'apk'): Promise<UploadedApp> {
  const entries = new Map<string, Buffer | null>();
  let isSigned = false;
  try {
    const zip = await openPromise(path, {});
    const directoryOffset = Number(zip.readEntryCursor);
    isSigned = kind === 'apk' && (await hasSigningBlock(path, directoryOffset));
    for await (const entry of zip.eachEntry()) {
      isSigned ||= SIGNATURE.test(entry.fileName);
      const isManifest = entry.fileName === MANIFESTS[kind];
      entries.set(entry.fileName, isManifest ? await buffer(await zip.openReadStreamPromise(entry)) : null);
    }
  } catch {
    throw forbidden('APK is not a valid ZIP archive.');
  }
  if (kind === 'aab' && !entries.has('BundleConfig.pb')) {
    throw forbidden(`${BUNDLETOOL} File 'BundleConfig.pb' was not found.`);
  }
  const manifest = entries.get(MANIFESTS[kind]);
  const app = manifest == null ? null : (kind === 'aab' ? readProtoManifest : readBinaryManifest)(manifest);
  if (app === null) throw forbidden(`${BUNDLETOOL} File '${MANIFESTS[kind]}' was not found.`);
  if (!isSigned) {
    throw forbidden(
      kind === 'aab'
        ? 'The Android App Bundle was not signed. Please sign the bundle using jarsigner.'
        : 'The uploaded APK was not signed. Please sign the APK.',
    );
  }
  return app;
}

/** https://source.android.com/docs/security/features/apksigning/v2#apk-signing-block */
async function hasSigningBlock(path: string, directoryOffset: number): Promise<boolean> {
  const file = await open(path);
  try {
    const magic = Buffer.alloc(16);
    if (directoryOffset >= 32) await file.read(magic, 0, 16, directoryOffset - 16);
    return magic.toString('latin1') === 'APK Sig Block 42';
  } finally {
    await file.close();
  }
}
