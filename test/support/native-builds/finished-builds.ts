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
  readonly type: 'apk' | 'aab' | 'ipa' | 'zip';
  readonly fileName?: string;
  readonly mimeType?: string;
  readonly status?: 'pending' | 'ready';
  /** What it says about itself; absent: it was not read. */
  readonly details?: {
    readonly versionName?: string;
    readonly versionCode?: string;
    readonly profileType?: string;
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
  const bundle = await uploadBundle(app);
  const [blob] = await query<{ blob_id: string }>(
    site.databaseUrl,
    'SELECT blob_id FROM build_artifacts WHERE id = $1',
    [bundle.id],
  );
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
      blob_id: blob?.blob_id,
      file_name: fileName,
      file_mime_type: mimeType,
      file_size_in_bytes: bundle.bytes.length,
      total_size_in_bytes: bundle.bytes.length,
    });
    if (details === undefined) continue;
    const { versionName = null, versionCode = null, profileType, icon = false } = details;
    const unknown = { subject: null, sha256: null, expiresAt: null, teamId: null };
    await insert('artifact_details', {
      id: artifactId,
      package_name: 'com.example.app',
      version_name: versionName,
      version_code: versionCode,
      debuggable: false,
      signer: profileType === undefined ? null : { scheme: 'profile', profileType, ...unknown },
      icon_blob_id:
        typeof icon === 'boolean' ? (icon ? blob?.blob_id : null) : await storeFile(app, icon, site),
      icon_mime_type: icon === false ? null : 'image/png',
    });
  }
  return { id, path: `${app.path}/builds/${id}`, jobId, artifactIds, bytes: bundle.bytes };
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
