import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { v7 as uuid } from 'uuid';
import { query } from '../../test/setup/databases.ts';
import type { Instance } from '../instance.ts';

const CHUNK_BYTES = 65_000;

/** A log of a job, as lines. */
export interface Shape {
  readonly name: string;
  readonly lines: number;
  readonly lineBytes: number;
}

/** A job with a log in one of the forms that a log has. */
export interface SeededLog {
  readonly jobId: string;
  readonly form: 'running' | 'archived' | 'archived by an older version';
}

/** Writes a job that runs, with its log, to the database. */
export async function seedRunning(
  { databaseUrl }: Instance,
  appId: string,
  { lines, lineBytes }: Shape,
): Promise<SeededLog> {
  const jobId = uuid();
  await query(
    databaseUrl,
    `INSERT INTO jobs (id, organization_id, app_id, kind, status, platform, stack, queued_at, pending_at, in_progress_at)
     SELECT $1, organization_id, id, 'build', 'in_progress', 'web', 'ubuntu', now(), now(), now() FROM apps WHERE id = $2`,
    [jobId, appId],
  );
  await query(
    databaseUrl,
    `INSERT INTO job_logs (id, slot) VALUES ($1, (extract(epoch FROM now())::bigint / 86400) % 8)`,
    [jobId],
  );
  const perChunk = Math.max(1, Math.floor(CHUNK_BYTES / (lineBytes + 1)));
  let number = 0;
  for (let first = 0; first < lines; first += perChunk * 50) {
    const payloads: string[] = [];
    for (let at = first; at < Math.min(lines, first + perChunk * 50); at += perChunk) {
      const some = Array.from({ length: Math.min(perChunk, lines - at) }, (_, n) =>
        lineOf(at + n, lineBytes),
      );
      payloads.push(some.join('\n'));
    }
    await query(
      databaseUrl,
      `INSERT INTO job_log_chunks (slot, job_id, number, payload)
       SELECT log.slot, $1, $2 + place, payload
         FROM job_logs AS log, unnest($3::text[]) WITH ORDINALITY AS chunk (payload, place) WHERE log.id = $1`,
      [jobId, number, payloads],
    );
    number += payloads.length;
  }
  await query(databaseUrl, 'UPDATE job_logs SET last_number = $2 WHERE id = $1', [jobId, number]);
  return { jobId, form: 'running' };
}

/** Ends a job, and waits until its log is in storage. */
export async function archive({ databaseUrl }: Instance, { jobId }: SeededLog): Promise<SeededLog> {
  await query(databaseUrl, `UPDATE jobs SET status = 'succeeded', finished_at = now() WHERE id = $1`, [
    jobId,
  ]);
  await query(databaseUrl, `INSERT INTO queue.job (name, data) VALUES ('job-logs', $1)`, [
    JSON.stringify({ jobId }),
  ]);
  for (;;) {
    const [log] = await query(databaseUrl, 'SELECT blob_id FROM job_logs WHERE id = $1', [jobId]);
    if (log?.['blob_id'] !== null) break;
    await sleep(100);
  }
  return { jobId, form: 'archived' };
}

/** Replaces the archive of a log by one as older versions wrote it. */
export async function rewriteAsOlderVersion(
  { databaseUrl, folder }: Instance,
  { jobId }: SeededLog,
): Promise<SeededLog> {
  const chunks = await query(
    databaseUrl,
    `SELECT job_id AS "jobId", number, payload, created_at AS timestamp FROM job_log_chunks
      WHERE job_id = $1 ORDER BY number`,
    [jobId],
  );
  const id = uuid();
  const path = join(folder, 'storage/objects/blobs', id.slice(-2), id);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, gzipSync(JSON.stringify(chunks)));
  await query(
    databaseUrl,
    `WITH blob AS (INSERT INTO blobs (id, organization_id, sha256, size_in_bytes)
                   SELECT $2::uuid, organization_id, md5($2::text) || md5($1::text), 1 FROM jobs WHERE id = $1::uuid)
     UPDATE job_logs SET blob_id = $2::uuid, archive_index = NULL WHERE id = $1::uuid`,
    [jobId, id],
  );
  return { jobId, form: 'archived by an older version' };
}

/** About one of a thousand contains `needle`. */
function lineOf(number: number, bytes: number): string {
  if (number % 20_000 === 0) return `§ Building part ${number}: npm run build`;
  const begin = `${number} \u001b[32m${number % 1000 === 7 ? 'needle' : 'ok'}\u001b[0m `;
  return `${begin}${'module transformed in 12 ms '.repeat(Math.ceil(bytes / 28))}`.slice(0, bytes);
}
