import type { BuildOptions } from '../steps/build-options.js';
import { type BuildRun, type BuiltFile, StepError } from '../steps/build-run.js';
import { buildAndroid } from './android/android-driver.js';
import { buildIos } from './ios/ios-driver.js';
import { buildWeb } from './web/web-driver.js';

/**
 * Does the jobs of one kind for one platform, with the steps that drivers share and some that only it has. Commands of
 * the project run in the sandbox.
 *
 * @returns the files to upload, in the folder `artifacts` of the job; no process of the job is still running
 * @throws StepError when the build fails
 * @throws the reason of the signal
 * @throws Error when the runner or its machine fails
 */
export type Driver = (run: BuildRun, options: BuildOptions) => Promise<readonly BuiltFile[]>;

/** The drivers by kind and platform. */
const drivers = new Map<string, ReadonlyMap<string, Driver>>([
  [
    'build',
    new Map<string, Driver>([
      ['android', buildAndroid],
      ['ios', buildIos],
      ['web', buildWeb],
    ]),
  ],
]);

/** Does a job with the driver of its kind and platform. As `Driver`. */
export async function runDriver(run: BuildRun, options: BuildOptions): Promise<readonly BuiltFile[]> {
  const { kind, platform } = run.payload.job;
  const platforms = drivers.get(kind);
  if (platforms === undefined) {
    throw new StepError('configuration', `This runner does not know jobs of the kind ${kind}: update it.`);
  }
  const driver = platforms.get(platform);
  if (driver === undefined) {
    const known = [...platforms.keys()].join(', ');
    throw new StepError(
      'configuration',
      `This runner does not build for ${platform} yet: only for ${known}.`,
    );
  }
  return driver(run, options);
}
