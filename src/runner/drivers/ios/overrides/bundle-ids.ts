import type { BuildLog } from '../../../steps/build-run.js';
import type { XcodeProject } from '../xcode-project/xcode-project.js';
import type { PlistFile } from './plist-file.js';
import type { TargetFiles } from './target-files.js';

const WHAT = 'the package name';
const SETTING = 'PRODUCT_BUNDLE_IDENTIFIER';
const COMPANION = 'WKCompanionAppBundleIdentifier';
/** Where an extension of a watch names its app. */
const WATCH_APP = ['NSExtension', 'NSExtensionAttributes', 'WKAppBundleIdentifier'];
/** Where an app clip names its app, behind the prefix of the team. */
const PARENT = ['com.apple.developer.parent-application-identifiers', '0'];

/**
 * Sets the bundle id of the app, and of what it embeds and begins with it, whose rest stays: `com.old.widget` becomes
 * `com.new.widget`. What names the app by its bundle id follows.
 */
export function setBundleIds(
  project: XcodeProject,
  configuration: string,
  targets: readonly TargetFiles[],
  packageName: string,
  log: BuildLog,
): void {
  const old = targets.find(({ isMain }) => isMain)?.bundleId ?? '';
  const renamed = (bundleId: string): string | null => {
    if (bundleId === old) return packageName;
    return bundleId.startsWith(`${old}.`) ? packageName + bundleId.slice(old.length) : null;
  };
  for (const { name, bundleId, settings, infoPlist, entitlements } of targets) {
    const to = renamed(bundleId);
    if (to === null) {
      log.line(`The target ${name} keeps its bundle id ${bundleId}, which does not begin with ${old}`);
    } else {
      project.setSettings(name, configuration, { [SETTING]: to });
      const text = infoPlist?.find('CFBundleIdentifier') ?? SETTING;
      if (!text.includes(SETTING)) infoPlist?.set(['CFBundleIdentifier'], to, WHAT);
    }
    const replaceIn = (file: PlistFile | null, path: readonly string[]): void => {
      const text = file?.find(...path) ?? null;
      const value = text === null ? null : renamed(settings.expand(text) ?? '');
      if (value !== null) file?.set(path, value, WHAT);
    };
    replaceIn(infoPlist, [COMPANION]);
    replaceIn(infoPlist, WATCH_APP);
    const companion = renamed(settings.resolve(`INFOPLIST_KEY_${COMPANION}`) ?? '');
    if (companion !== null) {
      project.setSettings(name, configuration, { [`INFOPLIST_KEY_${COMPANION}`]: companion });
    }
    const parent = entitlements?.find(...PARENT) ?? '';
    if (parent.endsWith(`)${old}`)) {
      entitlements?.set(PARENT, parent.slice(0, -old.length) + packageName, WHAT);
    }
  }
}
