import { join } from 'node:path';
import { readPlist, valueOf } from '../../../../common/read-plist.js';
import { type BuildRun, StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';

const MAX_BYTES = 1024 * 1024;
/** No control characters, and no half of a character: the API refuses both. */
const TEXT = /^[^\p{C}]{1,1000}$/u;

/** What an app says about itself. */
export interface AppFacts {
  readonly packageName: string | null;
  readonly packageVersion: string | null;
  readonly displayName: string | null;
}

/**
 * Reads the Info.plist of an app.
 *
 * @param app relative to the folder: `….app`
 * @throws StepError when there is none, or it cannot be read
 */
export async function readAppFacts(files: ProjectFolder, app: string): Promise<AppFacts> {
  const path = join(app, 'Info.plist');
  const bytes = await files.readBytes('output', path, MAX_BYTES);
  if (bytes === null) throw new StepError('output', `The app that Xcode built has no ${path}.`);
  const info = parse(bytes, path);
  const textOf = (key: string): string | null => {
    const value = valueOf(info, key);
    return typeof value === 'string' && TEXT.test(value) ? value : null;
  };
  return {
    packageName: textOf('CFBundleIdentifier'),
    packageVersion: textOf('CFBundleShortVersionString'),
    displayName: textOf('CFBundleDisplayName') ?? textOf('CFBundleName'),
  };
}

function parse(bytes: Buffer, path: string): unknown {
  try {
    return readPlist(bytes);
  } catch {
    throw new StepError('output', `${path} of the app that Xcode built cannot be read.`);
  }
}

/** Reports to the API what was built, as far as the app says it. */
export async function reportApp({ report }: BuildRun, facts: AppFacts): Promise<void> {
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  if (known.length > 0) await report(Object.fromEntries(known));
}
