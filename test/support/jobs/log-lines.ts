import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Response } from 'supertest';
import type { JobLogPageDto, JobLogStepDto } from '../../../src/jobs/job-logs/job-log-lines.dto.js';
import type { TestApp } from '../../builders/app.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../eventually.js';
import { sendLog, type TestJobLog, type TestLease } from './leases.js';

/** Most bytes of a part of a log. */
const PART = 65_536;

/** Some lines of a log. @param parameters such as `after=10` */
export async function pageOf(app: TestApp, jobId: string, parameters = 'limit=2000'): Promise<JobLogPageDto> {
  const { status, body, text } = await app.api.get(`/v1/jobs/${jobId}/logs?${parameters}`);
  if (status !== 200) throw new Error(text);
  return body as JobLogPageDto;
}

export async function stepsOf(app: TestApp, jobId: string): Promise<JobLogStepDto[]> {
  const { status, body, text } = await app.api.get(`/v1/jobs/${jobId}/logs/steps`);
  if (status !== 200) throw new Error(text);
  return body as JobLogStepDto[];
}

/** The lines of the log as clients get it that ask for all of it, by number. */
export async function rawLines(
  app: TestApp,
  jobId: string,
): Promise<{ number: number; text: string; timestamp: string }[]> {
  const { body } = await app.api.get(`/v1/jobs/${jobId}/logs`);
  return (body as TestJobLog[])
    .flatMap(({ payload, timestamp }) => payload.split('\n').map((text) => ({ text, timestamp })))
    .map((line, index) => ({ number: index + 1, ...line }));
}

/** All lines, page by page from the first one. */
export async function forward(
  app: TestApp,
  jobId: string,
  parameters: string,
): Promise<JobLogPageDto['lines']> {
  const lines: JobLogPageDto['lines'] = [];
  for (;;) {
    const page = await pageOf(app, jobId, `${parameters}&after=${lines.at(-1)?.number ?? 0}`);
    if (page.lines.length === 0) return lines;
    lines.push(...page.lines);
  }
}

/** All lines, page by page from the last one. */
export async function backward(
  app: TestApp,
  jobId: string,
  parameters: string,
): Promise<JobLogPageDto['lines']> {
  let { lines } = await pageOf(app, jobId, parameters);
  for (;;) {
    const before = lines[0]?.number ?? 1;
    if (before === 1) return lines;
    const page = await pageOf(app, jobId, `${parameters}&before=${before}`);
    if (page.lines.length === 0) return lines;
    lines = [...page.lines, ...lines];
  }
}

/** Sends a log of any length in parts. @returns its bytes */
export async function sendLongLog(lease: TestLease, text: string): Promise<number> {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length; offset += PART) {
    const response: Response = await sendLog(lease, offset, bytes.subarray(offset, offset + PART), {
      gzip: true,
    });
    if (response.status !== 202) throw new Error(response.text);
  }
  return bytes.length;
}

/** Waits until the log of a job that has ended is in storage, and takes it out of the database. */
export async function moved(jobId: string): Promise<void> {
  const { databaseUrl } = testEnvironment();
  await eventually(async () => {
    const [log] = await query(databaseUrl, 'SELECT blob_id FROM job_logs WHERE id = $1', [jobId]);
    expect(log?.['blob_id']).not.toBeNull();
  });
  await query(databaseUrl, 'DELETE FROM job_log_chunks WHERE job_id = $1', [jobId]);
}

/** Replaces the archive of a log by one as older versions wrote it: all at once, without an index. */
export async function rewriteAsOlderVersion(jobId: string, chunks: readonly TestJobLog[]): Promise<void> {
  const { databaseUrl, dataDir } = testEnvironment();
  const [log] = await query<{ id: string }>(
    databaseUrl,
    'UPDATE job_logs SET archive_index = NULL WHERE id = $1 RETURNING blob_id AS id',
    [jobId],
  );
  const id = log?.id ?? '';
  const inOldOrder = chunks.map(({ number, payload, timestamp }) => ({ jobId, number, payload, timestamp }));
  await writeFile(
    join(dataDir, 'storage/objects/blobs', id.slice(-2), id),
    gzipSync(JSON.stringify(inOldOrder)),
  );
}
