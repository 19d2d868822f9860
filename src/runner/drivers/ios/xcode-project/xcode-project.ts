import { StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';

/** A target whose product has a provisioning profile: an app, an app extension, a watch app or an app clip. */
export interface SignableTarget {
  readonly name: string;
  readonly bundleId: string;
  /** It is the app itself; all others are embedded in it. */
  readonly isMain: boolean;
}

/** A project of Xcode. Nothing is written before `save`. */
export class XcodeProject {
  private constructor(
    private readonly files: ProjectFolder,
    readonly path: string,
  ) {}

  /**
   * @param path relative to the working copy: `…/App.xcodeproj`
   * @throws StepError when it is no project that can be read
   */
  static open(files: ProjectFolder, path: string): Promise<XcodeProject> {
    return Promise.resolve(new XcodeProject(files, path));
  }

  /**
   * The app target and what it embeds, as far as it is signed with a profile.
   *
   * @param appTarget as `findScheme` returns it
   * @throws StepError that names the target when its bundle id cannot be found out
   */
  signableTargets(_configuration: string, _appTarget: string): Promise<SignableTarget[]> {
    throw new StepError('configuration', `not yet ${this.path} ${String(this.files)}`);
  }

  /** Sets build settings of one configuration of one target, which `xcodebuild` then signs by hand. */
  setSigning(_target: string, _configuration: string, _settings: Readonly<Record<string, string>>): void {
    throw new StepError('configuration', 'not yet');
  }

  /** Writes what has changed, and leaves every other line as it is. */
  save(): Promise<void> {
    return Promise.resolve();
  }
}
