import { randomBytes } from 'node:crypto';
import { query } from '../../test/setup/databases.ts';

/** A registered runner with its session. */
export interface Runner {
  readonly token: string;
  readonly sessionId: string;
  readonly origin: string;
}

/** What a claim gets. */
export interface Claimed {
  readonly job: { readonly id: string };
  readonly jobToken: string;
}

/** Lines of text, of so many bytes together. */
export function lines(bytes: number): string {
  const line = () => `${randomBytes(37).toString('hex')} done\n`;
  let text = '';
  while (text.length < bytes) text += line();
  return `${text.slice(0, bytes - 1)}\n`;
}

/** Sends a part of a log. */
export async function append(origin: string, token: string, offset: number, text: string): Promise<void> {
  const response = await fetch(`${origin}/v1/runner/job/log`, {
    method: 'PATCH',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'text/plain',
      'Upload-Offset': String(offset),
    },
    body: text,
  });
  if (response.status !== 202) throw new Error(`log: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** Sends a request with a token. @returns `null` for 204 @throws Error for a response that is no success */
export async function send<T>(
  origin: string,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<T | null> {
  const response = await fetch(origin + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  return text === '' ? null : (JSON.parse(text) as T);
}

/** Queues jobs, of the apps in turn. */
export async function queueJobs(
  databaseUrl: string,
  organizationId: string,
  apps: string[],
  count: number,
): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO jobs (id, organization_id, app_id, kind, status, platform, stack, queued_at)
     SELECT gen_random_uuid(), $1, ($2::uuid[])[1 + n % $3], 'build', 'queued', 'web', 'macos-tahoe', now()
       FROM generate_series(1, $4) AS n`,
    [organizationId, apps, apps.length, count],
  );
  await query(databaseUrl, `SELECT pg_notify('jobs', $1)`, [organizationId]);
}
