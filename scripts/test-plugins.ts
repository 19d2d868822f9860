import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepareCertificate } from './plugins/certificate.ts';
import { compilePlugins } from './plugins/classes.ts';
import { fetchPackages } from './plugins/packages.ts';
import { missingRequirements } from './plugins/requirements.ts';
import { seedOption } from './seed-option.ts';
import { hasS3Server, withS3Server } from './s3-server.ts';

/**
 * `npm run test:plugins [-- <path pattern> …]`: runs the unmodified Java of the live update plugin in several versions
 * against Slipway: the newest and the oldest one in all stories, the others in some, and `TEST_SET=deep npm run
 * test:plugins` each in all. What a machine lacks, or what cannot be downloaded, is named in one sentence, and nothing is tested.
 */
const missing = await missingRequirements();
const reason = missing.length > 0 ? `it needs ${missing.join(', ')}` : fetchPackages();
if (reason === null) {
  const prepared = JSON.stringify({ ...prepareCertificate(), classPaths: compilePlugins() });
  const env = { ...process.env, SLIPWAY_PLUGINS: prepared };
  process.exitCode = hasS3Server() ? await withS3Server((s3) => runSuite({ ...s3, ...env })) : runSuite(env);
} else {
  console.log(`The Java of the plugins is NOT tested: ${reason}.`);
}

/** @returns the exit code */
function runSuite(env: NodeJS.ProcessEnv): number {
  const options = process.argv.slice(2).filter((option) => option.startsWith('-'));
  const patterns = process.argv.slice(2).filter((option) => !options.includes(option));
  const args = [
    ...options,
    ...seedOption(env['TEST_SET'], options),
    '--selectProjects',
    'plugins',
    '--testPathPatterns',
    ...(patterns.length > 0 ? patterns : ['.']),
  ];
  const jest = spawnSync('npm', ['run', '--silent', 'jest', '--', ...args], {
    cwd: join(import.meta.dirname, '..'),
    env,
    stdio: 'inherit',
  });
  return jest.status ?? 1;
}
