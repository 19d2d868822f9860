import { v7 as uuid } from 'uuid';
import type { TestApp } from '../../builders/app.js';
import type { Site } from '../../builders/identities.js';
import { publishManifest, uploadBundle } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { createJob } from '../jobs/leases.js';
import { sha256 } from '../sha256.js';

/** A file of a finished build. */
export interface FinishedFile {
  readonly type: 'apk' | 'aab' | 'app' | 'ipa' | 'zip';
  readonly fileName?: string;
  readonly mimeType?: string;
  readonly status?: 'pending' | 'ready';
  /** What it says about itself; absent: it was not read. */
  readonly details?: {
    readonly versionName?: string;
    readonly versionCode?: string;
    readonly profileType?: string;
    /** Of the profile of an ipa. */
    readonly teamId?: string;
    readonly expiresAt?: string;
    readonly profileBundleId?: string;
    readonly deviceCount?: number;
    readonly label?: string;
    readonly applePlatform?: 'ios' | 'tvos' | 'visionos';
    readonly usesNonExemptEncryption?: boolean;
    readonly packageName?: string;
    readonly debuggable?: boolean;
    readonly formFactor?: 'wear' | 'tv' | 'automotive';
    /** Of Android; absent: unsigned. */
    readonly signer?: { readonly subject: string; readonly sha256: string };
    /** The icon, or `true` for one whose bytes are those of the file. */
    readonly icon?: boolean | Buffer;
  };
}

/** A build, by default one that has ended. */
export interface FinishedBuild {
  readonly id: string;
  readonly path: string;
  readonly jobId: string;
  /** Ids of its artifacts, in the order of the files. */
  readonly artifactIds: readonly string[];
  /** What each file holds. */
  readonly bytes: Buffer;
}

/**
 * A native build, written to the database directly, so that no runner is needed.
 *
 * @param values further columns of the build
 * @param status of its job
 */
export async function createFinishedBuild(
  app: TestApp,
  files: readonly FinishedFile[] = [{ type: 'apk' }],
  values: Readonly<Record<string, unknown>> = {},
  status = 'succeeded',
  site: Site = testEnvironment(),
): Promise<FinishedBuild> {
  const { bytes, blobId } = await fileOf(app, site);
  const insert = (table: string, row: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const columns = Object.keys(row);
    const parameters = columns.map((_, index) => `$${index + 1}`);
    const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${parameters.join(', ')})`;
    return query(site.databaseUrl, text, Object.values(row));
  };
  const end = ['queued', 'in_progress'].includes(status) ? {} : { finished_at: 'now()' };
  const jobId = await createJob(app, { status, platform: 'android', ...end }, site);
  const [number] = await query<{ next: number }>(
    site.databaseUrl,
    `UPDATE apps SET next_build_number = next_build_number + 1 WHERE id = $1
     RETURNING next_build_number - 1 AS next`,
    [app.id],
  );
  const id = uuid();
  const build = {
    id,
    app_id: app.id,
    number: number?.next,
    platform: 'android',
    type: 'release',
    job_id: jobId,
  };
  await insert('builds', { ...build, ...values });
  const artifactIds: string[] = [];
  for (const { type, fileName = `app.${type}`, mimeType = null, details, status = 'ready' } of files) {
    const artifactId = uuid();
    artifactIds.push(artifactId);
    await insert('build_artifacts', {
      id: artifactId,
      build_id: id,
      type,
      status,
      blob_id: blobId,
      file_name: fileName,
      file_mime_type: mimeType,
      file_size_in_bytes: bytes.length,
      total_size_in_bytes: bytes.length,
    });
    if (details === undefined) continue;
    const { versionName = null, versionCode = null, icon = false } = details;
    await insert('artifact_details', {
      id: artifactId,
      package_name: details.packageName ?? 'com.example.app',
      label: details.label ?? null,
      version_name: versionName,
      version_code: versionCode,
      debuggable: details.debuggable ?? false,
      form_factor: details.formFactor ?? null,
      apple_platform: details.applePlatform ?? null,
      uses_non_exempt_encryption: details.usesNonExemptEncryption ?? null,
      signer: signerOf(details),
      icon_blob_id: typeof icon === 'boolean' ? (icon ? blobId : null) : await storeFile(app, icon, site),
      icon_mime_type: icon === false ? null : 'image/png',
    });
  }
  return { id, path: `${app.path}/builds/${id}`, jobId, artifactIds, bytes };
}

/** One upload of each app is the file of all its builds. */
const files = new WeakMap<TestApp, Promise<{ bytes: Buffer; blobId: string | undefined }>>();

function fileOf(app: TestApp, site: Site): Promise<{ bytes: Buffer; blobId: string | undefined }> {
  const known = files.get(app);
  if (known !== undefined) return known;
  const file = uploadBundle(app).then(async ({ id, bytes }) => {
    const [artifact] = await query<{ blobId: string }>(
      site.databaseUrl,
      'SELECT blob_id AS "blobId" FROM build_artifacts WHERE id = $1',
      [id],
    );
    return { bytes, blobId: artifact?.blobId };
  });
  files.set(app, file);
  return file;
}

/** As it is stored. */
function signerOf(details: NonNullable<FinishedFile['details']>): object | null {
  const { profileType, teamId = null, expiresAt = null, profileBundleId, deviceCount, signer } = details;
  const unknown = { subject: null, sha256: null, expiresAt: null, teamId: null, profileType: null };
  if (signer !== undefined) return { ...unknown, scheme: 'v1', ...signer };
  if (profileType === undefined) return null;
  return { ...unknown, scheme: 'profile', profileType, teamId, expiresAt, profileBundleId, deviceCount };
}

/** Stores bytes as a file of a bundle. @returns the id of their blob */
async function storeFile(app: TestApp, bytes: Buffer, site: Site): Promise<string | undefined> {
  await publishManifest(app, { 'index.html': '<html>', 'icon.png': bytes });
  const [blob] = await query<{ id: string }>(
    site.databaseUrl,
    'SELECT id FROM blobs WHERE organization_id = $1 AND sha256 = $2',
    [app.tenant.organizationId, sha256(bytes)],
  );
  return blob?.id;
}
