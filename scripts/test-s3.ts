import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { seedOption } from './seed-option.ts';
import { hasS3Server, s3ServerFolder, withS3Server } from './s3-server.ts';

/**
 * `npm run test:s3 [-- <path pattern> …]`: runs the suite of object storage, and with `STORAGE=s3` a third of the end-to-end
 * tests that write or read stored files, another third with each seed; `TEST_SET=deep npm run test:s3` these and all other
 * tests of live updates. Without `S3_ENDPOINT`, it starts the server in `../shared/s3-server` (or in `S3_SERVER`) for that time.
 */

const set = process.env['TEST_SET'];
/** What stores files, reads or removes them, each in its own way: the longest first, so that thirds take equally long. */
const STORING = [
  'clients/device-downloads',
  'e2e/live-updates/generated-zips',
  'e2e/live-updates/publication',
  'e2e/live-updates/publish-compression',
  'e2e/live-updates/uploads',
  'e2e/live-updates/verification',
  'e2e/live-updates/deltas',
  'e2e/live-updates/retention',
  'clients/cli-uploads',
  'e2e/live-updates/named-manifests',
  'clients/device-updates',
  'e2e/live-updates/compression',
  'e2e/live-updates/inner-manifests',
  'e2e/live-updates/cdn',
  'e2e/live-updates/imported-manifests',
  'e2e/live-updates/transfer-sizes',
  'clients/cli-transfer',
  'e2e/live-updates/bundle-expiry',
  'e2e/live-updates/bundles',
];
const THIRDS = 3;

/** The suite of object storage, and what else runs on it. */
function filesFor(seed: number): string[] {
  const others =
    set === 'deep'
      ? ['e2e/live-updates/', ...STORING]
      : STORING.filter((_file, index) => index % THIRDS === Math.floor(seed / THIRDS) % THIRDS);
  return ['test/s3/', ...others.map((file) => (file.endsWith('/') ? file : `${file}\\.spec`))];
}

if (hasS3Server()) {
  process.exitCode = await withS3Server(runSuites);
} else {
  console.log(
    `There is no S3 server in ${s3ServerFolder}, and S3_ENDPOINT is not set: object storage is NOT tested.`,
  );
}

/** @returns the exit code */
function runSuites(env: NodeJS.ProcessEnv): number {
  const options = process.argv.slice(2).filter((option) => option.startsWith('-'));
  const chosen = process.argv.slice(2).filter((option) => !options.includes(option));
  options.push(...seedOption(set, options));
  const seed = options.find((option) => option.startsWith('--seed='))?.slice('--seed='.length);
  const files = chosen.length > 0 ? chosen : filesFor(Number(seed ?? 0));
  const args = [...options, '--selectProjects', 's3', 'e2e', 'clients', '--testPathPatterns', ...files];
  const jest = spawnSync('npm', ['run', '--silent', 'jest', '--', ...args], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...env, STORAGE: 's3' },
    stdio: 'inherit',
  });
  return jest.status ?? 1;
}
