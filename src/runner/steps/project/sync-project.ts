import type { BuildProject } from '../build-project.js';
import { StepError } from '../build-run.js';
import { type NativePlatform, type NativeProjectKind, platformNames } from './native-project.js';

/** A native project, and where it is. */
interface SyncedProject {
  readonly kind: NativeProjectKind;
  /** Relative to the working copy. */
  readonly dir: string;
}

/**
 * Puts the web assets and the plugins into the native project. A native project needs none.
 *
 * @param env variables that those of the build win over
 * @throws StepError when it fails
 */
export async function syncProject(
  project: BuildProject,
  platform: NativePlatform,
  { kind, dir }: SyncedProject,
  env?: Readonly<Record<string, string>>,
): Promise<void> {
  if (kind === 'native') return;
  const isCordova = kind === 'cordova';
  const title = isCordova ? `Preparing the ${platformNames[platform]} project` : 'Copying the web assets';
  // For iOS, both install pods, too.
  const command = project.program(`${isCordova ? 'cordova prepare' : 'cap sync'} ${platform}`);
  await project.execute('native', title, command, { env });
  if ((await project.files.resolve('native', dir)) !== null) return;
  throw new StepError(
    'native',
    `The project has no folder ${dir}: run "npx cordova platform add ${platform}", which writes the platform to package.json, and commit that.`,
  );
}
