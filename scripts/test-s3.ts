import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { seedOption } from './seed-option.ts';
import { hasS3Server, s3ServerFolder, withS3Server } from './s3-server.ts';

/**
 * `npm run test:s3 [-- <path pattern> …]`: runs the suite of object storage, and with `STORAGE=s3` the end-to-end tests of
 * live updates that write or read stored files; `TEST_SET=deep npm run test:s3` all tests of live updates. Without
 * `S3_ENDPOINT`, it starts the server in `../shared/s3-server` (or in `S3_SERVER`) for that time.
 */

const set = process.env['TEST_SET'];
/** What stores files, reads or removes them, each in its own way. */
const STORING = [
  'bundle-expiry',
  'bundles',
  'cdn',
  'compression',
  'deltas',
  'generated-zips',
  'imported-manifests',
  'inner-manifests',
  'named-manifests',
  'publication',
  'publish-compression',
  'retention',
  'transfer-sizes',
  'uploads',
  'verification',
];
/** The suite of object storage, and what else runs on it: an update from the upload to the device. */
const FILES = [
  'test/s3/',
  set === 'deep' ? 'e2e/live-updates/' : `e2e/live-updates/(${STORING.join('|')})\\.spec`,
  'clients/(cli-uploads|cli-transfer|device-updates|device-downloads)',
];

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
  const files = chosen.length > 0 ? chosen : FILES;
  options.push(...seedOption(set, options));
  const args = [...options, '--selectProjects', 's3', 'e2e', 'clients', '--testPathPatterns', ...files];
  const jest = spawnSync('npm', ['run', '--silent', 'jest', '--', ...args], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...env, STORAGE: 's3' },
    stdio: 'inherit',
  });
  return jest.status ?? 1;
}
