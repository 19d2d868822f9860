import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { directClient } from '../test/support/s3/direct-client.ts';

/**
 * `npm run test:s3 [-- <path pattern> …]`: runs the suite of object storage, and the end-to-end tests of live updates with
 * `STORAGE=s3`. Without `S3_ENDPOINT`, it starts the server in `../shared/s3-server` (or in `S3_SERVER`) for that time.
 */
const root = join(import.meta.dirname, '..');
const server = resolve(root, process.env['S3_SERVER'] ?? '../shared/s3-server');
/** The ports that the server uses begin here. */
const PORT = '8433';

/** The suite of object storage, and what else runs on it: an update from the upload to the device. */
const FILES = [
  'test/s3/',
  'e2e/live-updates/',
  'clients/(cli-uploads|cli-transfer|device-updates|device-downloads)',
];

if (process.env['S3_ENDPOINT'] === undefined && !existsSync(join(server, 'start'))) {
  console.log(
    `There is no S3 server in ${server}, and S3_ENDPOINT is not set: object storage is NOT tested.`,
  );
} else {
  process.exitCode = await test();
}

async function test(): Promise<number> {
  if (process.env['S3_ENDPOINT'] !== undefined) return runSuites({});
  const folder = await mkdtemp(join(tmpdir(), 'slipway-s3-server-'));
  const env = { ...process.env, TMPDIR: folder, S3_SERVER_PORT: PORT };
  const command = (name: string, output: 'inherit' | 'pipe') =>
    spawnSync(join(server, name), { env, encoding: 'utf8', stdio: ['ignore', output, 'inherit'] });
  try {
    const { status, stdout } = command('start', 'pipe');
    if (status !== 0) throw new Error('The S3 server did not start.');
    return await runSuites(exportsOf(stdout));
  } finally {
    command('stop', 'inherit');
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns the exit code */
async function runSuites(s3: Readonly<Record<string, string>>): Promise<number> {
  const env = { ...process.env, ...s3, STORAGE: 's3' };
  await createBucket(env);
  const chosen = process.argv.slice(2);
  const files = chosen.length > 0 ? chosen : FILES;
  const args = ['--selectProjects', 's3', 'e2e', 'clients', '--testPathPatterns', ...files];
  const jest = spawnSync('npm', ['run', '--silent', 'jest', '--', ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  return jest.status ?? 1;
}

async function createBucket(env: NodeJS.ProcessEnv): Promise<void> {
  await directClient(env)
    .send(new CreateBucketCommand({ Bucket: env['S3_BUCKET'] }))
    .catch((error: Error) => {
      if (error.name !== 'BucketAlreadyOwnedByYou') throw error;
    });
}

/** Reads lines such as `export A=1 B=2`. */
function exportsOf(lines: string): Record<string, string> {
  return Object.fromEntries(
    [...lines.matchAll(/(\w+)=(\S*)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}
