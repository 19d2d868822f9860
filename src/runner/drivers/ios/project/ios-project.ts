import type { PayloadAppDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import { StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';

/** What makes the native project: Capacitor and Cordova fill one, other projects are one. */
export type IosProjectKind = 'capacitor' | 'cordova' | 'native';

/** The folder of the iOS project in a working copy. */
export interface IosFolder {
  readonly kind: IosProjectKind;
  /** Where the project is, relative to the working copy. Cordova makes it. */
  readonly dir: string;
}

/** The iOS project in a working copy. Paths are relative to it. */
export interface IosProject extends IosFolder {
  /** Such as `ios/App/App.xcodeproj`. */
  readonly projectPath: string;
  /** What `xcodebuild` builds instead of the project; with CocoaPods it may be missing before `pod install`. */
  readonly workspacePath: string | null;
  /** There is a Podfile in `dir`. */
  readonly hasPodfile: boolean;
}

/**
 * Finds out from the files what kind of project it is. Needs the checkout only.
 *
 * @param baseDir relative to the working copy
 * @throws StepError when it is none, with what to do
 */
export function findIosFolder(_files: ProjectFolder, _baseDir: string): Promise<IosFolder> {
  throw new StepError('configuration', 'not yet');
}

/**
 * Finds the Xcode project and the workspace, after Capacitor or Cordova have filled them.
 *
 * @throws StepError when there is none, or several
 */
export function findIosProject(_files: ProjectFolder, _folder: IosFolder): Promise<IosProject> {
  throw new StepError('configuration', 'not yet');
}

/** As `FindWebBuild`: native projects have no web step, Cordova can do without, Capacitor needs one. */
export function findIosWebBuild(_files: ProjectFolder, _baseDir: string): Promise<string | null> {
  throw new StepError('configuration', 'not yet');
}

/** For the log. */
export function describeIosProject(_folder: IosFolder, _appType: PayloadAppDto['type']): string {
  throw new StepError('configuration', 'not yet');
}
