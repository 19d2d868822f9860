import { join } from 'node:path';
import { StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import type { BuildSettings } from '../xcode-project/build-settings.js';
import type { SignableTarget, XcodeProject } from '../xcode-project/xcode-project.js';
import { PlistFile } from './plist-file.js';

/** A target whose values are replaced, as it was before. */
export interface TargetFiles extends SignableTarget {
  readonly settings: BuildSettings;
  /** `null`: Xcode makes it from the settings. */
  readonly infoPlist: PlistFile | null;
  /** Xcode adds to Info.plist what the settings say, or makes all of it. */
  readonly isGenerated: boolean;
  readonly entitlements: PlistFile | null;
}

/** Opens the files of targets, each once. */
export class TargetFilesReader {
  private readonly opened = new Map<string, PlistFile>();

  constructor(
    readonly files: ProjectFolder,
    private readonly project: XcodeProject,
    private readonly configuration: string,
  ) {}

  /** All files that were opened. */
  get all(): readonly PlistFile[] {
    return [...this.opened.values()];
  }

  /** @throws StepError when a file is not there, or is no property list */
  async read(target: SignableTarget): Promise<TargetFiles> {
    const settings = await this.project.settings(target.name, this.configuration);
    const open = (name: string): Promise<PlistFile | null> => this.open(target.name, settings, name);
    return {
      ...target,
      settings,
      infoPlist: await open('INFOPLIST_FILE'),
      isGenerated: settings.resolve('GENERATE_INFOPLIST_FILE') === 'YES',
      entitlements: await open('CODE_SIGN_ENTITLEMENTS'),
    };
  }

  private async open(target: string, settings: BuildSettings, name: string): Promise<PlistFile | null> {
    const raw = settings.raw(name) ?? '';
    if (raw.trim() === '') return null;
    const named = `${name} of the target ${JSON.stringify(target.slice(0, 200))}`;
    const resolved = settings.resolve(name);
    if (resolved === null || resolved.startsWith('/')) {
      throw new StepError(
        'configuration',
        `${named} is ${JSON.stringify(raw.slice(0, 200))}, which is no file of the project.`,
      );
    }
    if (resolved === '') return null;
    const path = join(this.project.dir, resolved);
    const known = this.opened.get(path) ?? (await PlistFile.open(this.files, path, named));
    this.opened.set(path, known);
    return known;
  }
}
