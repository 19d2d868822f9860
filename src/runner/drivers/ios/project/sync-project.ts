import type { BuildProject } from '../../../steps/build-project.js';
import { StepError } from '../../../steps/build-run.js';
import type { IosFolder } from './ios-project.js';

/** `--no`: without Capacitor or Cordova in the project nothing is installed. Both install pods, too. */
const COMMANDS = {
  capacitor: { title: 'Copying the web assets', command: 'npx --no -- cap sync ios' },
  cordova: { title: 'Preparing the iOS project', command: 'npx --no -- cordova prepare ios' },
} as const;

/**
 * Puts the web assets and the plugins into the native project. A native project needs none.
 *
 * @param env for CocoaPods
 * @throws StepError when it fails
 */
export async function syncProject(
  project: BuildProject,
  { kind, dir }: IosFolder,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  if (kind === 'native') return;
  const { title, command } = COMMANDS[kind];
  await project.execute('native', title, command, env);
  if ((await project.files.resolve('native', dir)) !== null) return;
  throw new StepError(
    'native',
    `The project has no folder ${dir}: run "npx cordova platform add ios", which writes the platform to package.json, and commit that.`,
  );
}
