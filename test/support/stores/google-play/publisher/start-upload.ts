import { forbidden, invalid, notFound } from '../google-error.ts';
import type { Reply } from '../../stand-in/reply.ts';
import { readUploadedApp } from './artifact-file.ts';
import { toApk } from './edits.ts';
import type { Artifact, Edit, PlayState } from './play-state.ts';
import type { PlayRequest } from './routes.ts';
import type { Finish, Uploads } from './uploads.ts';

/** `POST …/edits/{id}/bundles` and `/apks`. @throws GoogleError */
export function startUpload(
  state: PlayState,
  uploads: Uploads,
  play: PlayRequest,
  edit: Edit,
  kind: Artifact['kind'],
): Promise<Reply> {
  // https://developers.google.com/android-publisher/api-ref/rest/v3/edits.apks/upload
  const types = [
    'application/octet-stream',
    ...(kind === 'apk' ? ['application/vnd.android.package-archive'] : []),
  ];
  return start(state, uploads, play, edit, types, async ({ path, sha1, sha256 }) => {
    const { packageName, versionCode } = await readUploadedApp(path, kind);
    const { app } = edit;
    if (app.warnsOfSize && play.url.searchParams.get('ackBundleInstallationWarning') !== 'true') {
      throw forbidden(
        'The Android App Bundle may be too large to install on some devices: confirm the installation warning with ackBundleInstallationWarning.',
      );
    }
    if (packageName !== app.packageName) {
      throw forbidden(`APK has the wrong package name. Expected ${app.packageName}.`);
    }
    if (app.artifacts.has(versionCode) || edit.uploads.has(versionCode)) {
      throw forbidden(`Version code ${versionCode} has already been used. Try another version code.`);
    }
    const artifact = { kind, versionCode, sha1, sha256 };
    edit.uploads.set(versionCode, artifact);
    if (app.burnsUploads) app.artifacts.set(versionCode, artifact);
    return kind === 'aab' ? { versionCode, sha1, sha256 } : toApk(artifact);
  });
}

/** https://developers.google.com/android-publisher/api-ref/rest/v3/edits.deobfuscationfiles/upload */
export function startSymbols(
  state: PlayState,
  uploads: Uploads,
  play: PlayRequest,
  edit: Edit,
  versionCode: number,
  symbolType: string,
): Promise<Reply> {
  if (symbolType !== 'proguard' && symbolType !== 'nativeCode') {
    throw invalid(`Invalid value at 'deobfuscation_file_type' (${symbolType})`);
  }
  if (!edit.uploads.has(versionCode) && !edit.app.artifacts.has(versionCode)) {
    throw notFound(`The following version codes could not be found: ${versionCode}.`);
  }
  return start(state, uploads, play, edit, ['application/octet-stream'], () => {
    const types = edit.symbols.get(versionCode) ?? new Set();
    edit.symbols.set(versionCode, types.add(symbolType));
    return Promise.resolve({ deobfuscationFile: { symbolType } });
  });
}

async function start(
  state: PlayState,
  uploads: Uploads,
  { request, url, uploadOrigin }: PlayRequest,
  edit: Edit,
  types: readonly string[],
  finish: Finish,
): Promise<Reply> {
  if (url.searchParams.get('uploadType') !== 'resumable') throw invalid('The upload must be resumable.');
  const check = (): void => void state.edit(edit.app, edit.id, edit.account);
  const { id } = await uploads.start(request, types, check, finish);
  const location = `${uploadOrigin}${url.pathname}?uploadType=resumable&upload_id=${id}`;
  return { status: 200, headers: { Location: location, 'X-GUploader-UploadID': id } };
}
