import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFoundTools } from './found-tools.js';
import { readSettings, type RunnerSettings } from './settings.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-tools-'));
});
afterEach(() => rm(folder, { recursive: true }));

function settingsOf(env: Record<string, string>): RunnerSettings {
  return readSettings({
    SLIPWAY_URL: 'http://localhost:3000',
    RUNNER_TOKEN: `slr_${'0a'.repeat(24)}`,
    ...env,
  });
}

/** Stand-ins for an SDK and for JDKs. */
async function makeTools(...majors: number[]): Promise<Record<string, string>> {
  await mkdir(join(folder, 'sdk/platforms/android-35'), { recursive: true });
  for (const major of majors) {
    const home = join(folder, 'jdks', `jdk-${major}`);
    await mkdir(join(home, 'bin'), { recursive: true });
    for (const name of ['java', 'javac']) await writeFile(join(home, 'bin', name), '', { mode: 0o755 });
    await writeFile(join(home, 'release'), `JAVA_VERSION="${major}.0.1"\n`);
  }
  return { RUNNER_ANDROID_HOME: join(folder, 'sdk'), RUNNER_JDK_DIR: join(folder, 'jdks') };
}

it('builds for the web without an SDK', async () => {
  const env = await makeTools(98);
  expect(await withFoundTools(settingsOf({}))).toMatchObject({ platforms: ['web'], stacks: [] });
  const jdksOnly = settingsOf({ RUNNER_JDK_DIR: env['RUNNER_JDK_DIR'] ?? '' });
  expect(await withFoundTools(jdksOnly)).toMatchObject({ platforms: ['web'] });
  const empty = settingsOf({ RUNNER_ANDROID_HOME: join(folder, 'absent') });
  expect(await withFoundTools(empty)).toMatchObject({ platforms: ['web'] });
});

it('builds for Android, too, with an SDK and JDKs, which are stacks', async () => {
  const settings = await withFoundTools(settingsOf(await makeTools(98, 99)));
  expect(settings.platforms).toEqual(['android', 'web']);
  expect(settings.stacks).toEqual(expect.arrayContaining(['jdk-98', 'jdk-99']));
});

it('leaves to the operator what the operator has set', async () => {
  const env = { ...(await makeTools(98)), RUNNER_PLATFORMS: 'web', RUNNER_STACKS: 'large' };
  expect(await withFoundTools(settingsOf(env))).toMatchObject({ platforms: ['web'], stacks: ['large'] });
});
