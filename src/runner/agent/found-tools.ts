import type { JobPlatform } from '../../jobs/jobs/job.entity.js';
import { findSdk } from '../steps/tools/android-sdk.js';
import { findIosTools } from '../steps/tools/ios-tools.js';
import { findJdks } from '../steps/tools/jdks.js';
import type { RunnerSettings } from './settings.js';

/**
 * Settings whose platforms and stacks are those of the operator, else those that this machine has the tools of: `android` with
 * an SDK and a JDK, `ios` with Xcode.
 */
export async function withFoundTools(settings: RunnerSettings): Promise<RunnerSettings> {
  const { androidHome, jdkDir, platforms, stacks } = settings;
  const jdks = (await findSdk(androidHome)) === null ? [] : await findJdks(jdkDir);
  const ios = await findIosTools(settings);
  const found: JobPlatform[] = [
    ...(jdks.length === 0 ? [] : (['android'] as const)),
    ...(ios === null ? [] : (['ios'] as const)),
    'web',
  ];
  const chosen = platforms.length === 0 ? found : platforms;
  const isAndroid = chosen.includes('android');
  const macos = chosen.includes('ios') ? (ios?.stack ?? null) : null;
  const foundStacks = [
    ...(isAndroid ? jdks.map(({ major }) => `jdk-${major}`) : []),
    ...(macos === null ? [] : [macos]),
  ];
  return { ...settings, platforms: chosen, stacks: stacks.length === 0 ? foundStacks : stacks };
}
