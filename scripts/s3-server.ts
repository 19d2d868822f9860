import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { directClient } from '../test/support/s3/direct-client.ts';

/** Where the S3 server for tests is: in `S3_SERVER`, or beside the checkout. */
export const s3ServerFolder = resolve(
  import.meta.dirname,
  '..',
  process.env['S3_SERVER'] ?? '../shared/s3-server',
);
/** The ports that the server uses begin in this range, below those that systems give out. */
const PORTS = [20_000, 30_000] as const;

/** Whether there is a store that tests can use: one that `S3_ENDPOINT` names, or the server. */
export function hasS3Server(): boolean {
  return process.env['S3_ENDPOINT'] !== undefined || existsSync(join(s3ServerFolder, 'start'));
}

/** Runs something with a bucket: on the store of `S3_ENDPOINT`, or on a server that is started for that time. */
export async function withS3Server<T>(run: (env: NodeJS.ProcessEnv) => T): Promise<T> {
  if (process.env['S3_ENDPOINT'] !== undefined) return runWithBucket({}, run);
  const folder = await mkdtemp(join(tmpdir(), 'slipway-s3-server-'));
  // Each server has ports of its own: one that was stopped a moment ago may still answer on its ports.
  const env = { ...process.env, TMPDIR: folder, S3_SERVER_PORT: String(randomInt(...PORTS)) };
  const command = (name: string, output: 'inherit' | 'pipe') =>
    spawnSync(join(s3ServerFolder, name), { env, encoding: 'utf8', stdio: ['ignore', output, 'inherit'] });
  try {
    const { status, stdout } = command('start', 'pipe');
    if (status !== 0) throw new Error('The S3 server did not start.');
    return await runWithBucket(exportsOf(stdout), run);
  } finally {
    command('stop', 'inherit');
    await rm(folder, { recursive: true, force: true });
  }
}

async function runWithBucket<T>(
  s3: Readonly<Record<string, string>>,
  run: (env: NodeJS.ProcessEnv) => T,
): Promise<T> {
  const env = { ...process.env, ...s3 };
  await directClient(env)
    .send(new CreateBucketCommand({ Bucket: env['S3_BUCKET'] }))
    .catch((error: Error) => {
      if (error.name !== 'BucketAlreadyOwnedByYou') throw error;
    });
  return run(env);
}

/** Reads lines such as `export A=1 B=2`. */
function exportsOf(lines: string): Record<string, string> {
  return Object.fromEntries(
    [...lines.matchAll(/(\w+)=(\S*)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}
