import type { BuildProject } from '../../../steps/build-project.js';
import { StepError } from '../../../steps/build-run.js';
import type { AndroidProject } from './android-project.js';

/** `--no`: without Capacitor or Cordova in the project nothing is installed. */
const COMMANDS = {
  capacitor: { title: 'Copying the web assets', command: 'npx --no -- cap sync android' },
  cordova: { title: 'Preparing the Android project', command: 'npx --no -- cordova prepare android' },
} as const;

/**
 * Puts the web assets and the plugins into the native project. A native project needs none.
 *
 * @throws StepError when it fails
 */
export async function syncProject(project: BuildProject, { kind, gradleDir }: AndroidProject): Promise<void> {
  if (kind === 'native') return;
  const { title, command } = COMMANDS[kind];
  await project.execute('native', title, command);
  if ((await project.files.resolve('native', gradleDir)) !== null) return;
  throw new StepError(
    'native',
    `The project has no folder ${gradleDir}: run "npx cordova platform add android", which writes the platform to package.json, and commit that.`,
  );
}
