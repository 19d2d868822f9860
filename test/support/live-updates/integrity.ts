import { setTimeout as sleep } from 'node:timers/promises';
import { linesOfProgram } from '../processes/programs.js';
import type { OwnSite } from '../servers/own-site.js';
import { sha256 } from '../sha256.js';

/** One file of a bundle, as the database has it. */
interface FileRow extends Record<string, unknown> {
  readonly appId: string;
  readonly bundleId: string;
  readonly href: string;
  readonly checksum: string;
  readonly blobId: string | null;
  readonly status: string;
}

/**
 * Fails unless every bundle is published as a whole or not at all: a ready one is complete, can be downloaded, and is
 * deployed when it has a channel; a pending one is neither served nor deployed. And every blob has its bytes.
 */
export async function expectIntegrity(site: OwnSite): Promise<void> {
  const halves = await site.query(
    `SELECT bundle.id, artifact.status, bundle.deployment_id
       FROM bundles AS bundle JOIN build_artifacts AS artifact USING (id)
       LEFT JOIN deployments AS deployment ON deployment.build_id = artifact.build_id
      WHERE (artifact.status = 'ready' AND bundle.channel_id IS NOT NULL) <> (deployment.id IS NOT NULL)
         OR bundle.deployment_id IS DISTINCT FROM deployment.id`,
  );
  expect(halves).toEqual([]);
  const blobs = await site.query<{ id: string; sha256: string }>('SELECT id, sha256 FROM blobs');
  for (const blob of blobs) expect(sha256(await site.read(blob.id))).toBe(blob.sha256);
  const files = await site.query<FileRow>(
    `SELECT bundle.app_id AS "appId", bundle.id AS "bundleId", file.href, file.checksum, file.blob_id AS "blobId",
            artifact.status
       FROM bundle_files AS file JOIN bundles AS bundle ON bundle.id = file.bundle_id
       JOIN build_artifacts AS artifact ON artifact.id = bundle.id`,
  );
  for (const file of files) await expectServed(site, file);
}

async function expectServed(site: OwnSite, file: FileRow): Promise<void> {
  const query = file.href === '' ? '' : `?href=${encodeURIComponent(file.href)}`;
  const url = `${site.origin}/v1/apps/${file.appId}/bundles/${file.bundleId}/download${query}`;
  const response = await fetch(url);
  const body = Buffer.from(await response.arrayBuffer());
  if (file.status === 'ready') {
    expect([response.status, sha256(body)]).toEqual([200, file.checksum]);
    expect(response.headers.get('x-checksum')).toBe(file.checksum);
  } else {
    expect(response.status).toBe(404);
  }
}

/** The times of stores are whole seconds, which some round up: in milliseconds, how long what is written is not older than now. */
const ROUNDED_TO = 1000;

/** Runs `slipway storage clean` on a site. @returns the lines that it prints */
export async function cleanStorage(site: OwnSite, ...args: string[]): Promise<string[]> {
  await sleep(ROUNDED_TO);
  return linesOfProgram('storage clean', site, { args });
}

/** Fails unless a cleaning removes everything in storage that has no owner, and nothing else, and reports it. */
export async function expectCleanable(site: OwnSite): Promise<void> {
  // Uploads that are not finished go, too, and their parts with them.
  const parts = (await site.query<{ id: string }>('SELECT id FROM upload_parts')).map(({ id }) => id);
  const owners = (await site.owners()).filter((id) => !parts.includes(id));
  const strays = (await site.objects()).filter((id) => !owners.includes(id));
  const lines = await cleanStorage(site, '--older-than-hours', '0', '--delete');
  const orphans = lines.flatMap((line) => /^orphan blobs\/..\/(\S+)/.exec(line)?.[1] ?? []);
  // The server itself may just have removed one, such as a variant that another one replaces.
  expect(strays).toEqual(expect.arrayContaining(orphans));
  expect(await site.incoming()).toEqual([]);
  expect(await site.objects()).toEqual(await site.owners());
  expect(await site.query('SELECT 1 FROM upload_parts')).toEqual([]);
}
