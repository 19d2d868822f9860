import type { BuildLog } from '../../../steps/build-run.js';
import type { XcodeProject } from '../xcode-project/xcode-project.js';
import type { TargetFiles } from './target-files.js';

/** A version in Info.plist, and the setting from which Xcode makes it. */
interface VersionKey {
  readonly what: string;
  readonly key: string;
  readonly setting: string;
}

export const VERSION_NAME: VersionKey = {
  what: 'the version',
  key: 'CFBundleShortVersionString',
  setting: 'MARKETING_VERSION',
};
export const BUILD_NUMBER: VersionKey = {
  what: 'the build number',
  key: 'CFBundleVersion',
  setting: 'CURRENT_PROJECT_VERSION',
};

/** Where a target has a version. */
interface VersionPlace {
  /** The setting that says it; `null`: none. */
  readonly setting: string | null;
  /** Info.plist says it itself. */
  readonly isLiteral: boolean;
  readonly value: string | null;
}

/** Sets a version of the app, and of what it embeds and has the same one: Apple expects that of extensions. */
export function setVersions(
  project: XcodeProject,
  configuration: string,
  targets: readonly TargetFiles[],
  version: VersionKey,
  value: string,
  log: BuildLog,
): void {
  const app = targets.find(({ isMain }) => isMain);
  if (app === undefined) return;
  // Several targets can have the same Info.plist: all are looked at before any is changed.
  const places = targets.map((target) => ({ target, place: findPlace(target, version) }));
  const main = findPlace(app, version);
  for (const { target, place } of places) {
    const isSame =
      (place.setting !== null && place.setting === main.setting) ||
      (place.value !== null && place.value === main.value);
    if (!target.isMain && !isSame) {
      log.line(
        `The target ${target.name} keeps ${version.what} ${place.value ?? 'that it has'}, which is not that of the app`,
      );
      continue;
    }
    if (place.setting !== null) project.setSettings(target.name, configuration, { [place.setting]: value });
    if (place.isLiteral) target.infoPlist?.set([version.key], value, version.what);
  }
}

function findPlace({ settings, infoPlist, isGenerated }: TargetFiles, version: VersionKey): VersionPlace {
  const text = infoPlist?.find(version.key) ?? null;
  const generated = isGenerated ? version.setting : null;
  if (text === null) {
    const value = generated === null ? null : settings.resolve(generated);
    return { setting: generated, isLiteral: generated === null, value };
  }
  const [, variable] = /^\$[({](\w{1,200})[)}]$/.exec(text) ?? [];
  return {
    setting: variable ?? generated,
    isLiteral: variable === undefined,
    value: settings.expand(text),
  };
}
