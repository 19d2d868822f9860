import type { Scheme } from '../project/find-scheme.js';
import type { IosProject } from '../project/ios-project.js';
import type { XcodeFolders } from './xcode-folders.js';

export interface XcodeBuild {
  readonly project: Pick<IosProject, 'dir' | 'projectPath' | 'workspacePath'>;
  readonly scheme: Scheme;
  readonly folders: XcodeFolders;
}

type Command = readonly [string, ...string[]];

/** Compiles an app that runs on devices, and signs it. @param keychain has the identity; an absolute path */
export function archiveCommand({ project, scheme, folders }: XcodeBuild, keychain: string): Command {
  return [
    'xcodebuild',
    ...common({ project, scheme, folders }),
    '-destination',
    'generic/platform=iOS',
    '-archivePath',
    folders.archive,
    'archive',
    // codesign looks for the identity here only. Xcode splits the setting at spaces outside of quotes.
    `OTHER_CODE_SIGN_FLAGS=--keychain "${keychain}"`,
    'COMPILER_INDEX_STORE_ENABLE=NO',
  ];
}

/** Makes the ipa of an archive. */
export function exportCommand({ folders }: XcodeBuild): Command {
  return [
    'xcodebuild',
    '-exportArchive',
    '-archivePath',
    folders.archive,
    '-exportPath',
    folders.exported,
    '-exportOptionsPlist',
    folders.exportOptions,
  ];
}

/** Compiles an app that runs on the simulators of a Mac, and needs no signature. */
export function simulatorCommand(build: XcodeBuild): Command {
  return [
    'xcodebuild',
    ...common(build),
    '-sdk',
    'iphonesimulator',
    '-destination',
    'generic/platform=iOS Simulator',
    'build',
    'CODE_SIGNING_ALLOWED=NO',
    'COMPILER_INDEX_STORE_ENABLE=NO',
  ];
}

/**
 * Plugins and macros of Swift packages run without a question: a person answers it in Xcode, and the build runs programs of the
 * project all the same.
 */
function common({ project, scheme, folders }: XcodeBuild): string[] {
  const { workspacePath, projectPath } = project;
  return [
    ...(workspacePath === null
      ? ['-project', relativeTo(project.dir, projectPath)]
      : ['-workspace', relativeTo(project.dir, workspacePath)]),
    '-scheme',
    scheme.scheme,
    '-configuration',
    scheme.configuration,
    '-derivedDataPath',
    folders.derivedData,
    '-clonedSourcePackagesDirPath',
    folders.packages,
    '-skipPackagePluginValidation',
    '-skipMacroValidation',
  ];
}

/** Both relative to the working copy. */
function relativeTo(dir: string, path: string): string {
  return dir !== '' && path.startsWith(`${dir}/`) ? path.slice(dir.length + 1) : path;
}
