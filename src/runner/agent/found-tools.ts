import { findSdk } from '../steps/tools/android-sdk.js';
import { findJdks } from '../steps/tools/jdks.js';
import type { RunnerSettings } from './settings.js';

/**
 * Settings whose platforms and stacks are those of the operator, else those that this machine has the tools of: `android` with
 * an SDK and a JDK.
 */
export async function withFoundTools(settings: RunnerSettings): Promise<RunnerSettings> {
  const { androidHome, jdkDir, platforms, stacks } = settings;
  const jdks = (await findSdk(androidHome)) === null ? [] : await findJdks(jdkDir);
  const found = jdks.length === 0 ? (['web'] as const) : (['android', 'web'] as const);
  const chosen = platforms.length === 0 ? found : platforms;
  const isAndroid = chosen.includes('android');
  return {
    ...settings,
    platforms: chosen,
    stacks: stacks.length === 0 && isAndroid ? jdks.map(({ major }) => `jdk-${major}`) : stacks,
  };
}
