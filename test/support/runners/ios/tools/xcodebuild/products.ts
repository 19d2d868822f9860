import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'plist';
import { binaryPlist } from '../../../../native-builds/binary-plist.ts';
import type { BuiltTarget } from './pbxproj.ts';
import type { SignedTarget } from './signing.ts';

/** The magic number of Mach-O for arm64. */
const PROGRAM = Buffer.from('cffaedfe0c000001', 'hex');

/** The values of the Info.plist of a target: of its file, with the settings that it names, or generated from settings. */
export function infoOf({ settings }: BuiltTarget, folder: string): Record<string, string> {
  const file = settings['INFOPLIST_FILE'];
  const own =
    file === undefined ? {} : (parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>);
  const texts = Object.entries(own).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const generated =
    settings['GENERATE_INFOPLIST_FILE'] === 'YES'
      ? {
          CFBundleIdentifier: '$(PRODUCT_BUNDLE_IDENTIFIER)',
          CFBundleShortVersionString: '$(MARKETING_VERSION)',
          CFBundleVersion: '$(CURRENT_PROJECT_VERSION)',
          CFBundleName: '$(PRODUCT_NAME)',
          ...(settings['INFOPLIST_KEY_CFBundleDisplayName'] === undefined
            ? {}
            : { CFBundleDisplayName: settings['INFOPLIST_KEY_CFBundleDisplayName'] }),
        }
      : {};
  const values: Record<string, string> = { ...generated, ...Object.fromEntries(texts) };
  const resolve = (text: string): string =>
    text.replaceAll(/\$[({](\w+)[)}]/g, (_all, key: string) => settings[key] ?? '');
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, resolve(value)]));
}

/**
 * Writes a bundle, such as `App.app`, with what it embeds.
 *
 * @param signed by name of the target; empty: nothing is signed
 */
export function writeBundle(
  target: BuiltTarget,
  folder: string,
  parent: string,
  signed: ReadonlyMap<string, SignedTarget>,
): string {
  const isApp = target.productType === 'com.apple.product-type.application';
  const product = target.settings['PRODUCT_NAME'] ?? target.name;
  const bundle = join(parent, `${product}.${isApp ? 'app' : 'appex'}`);
  mkdirSync(bundle, { recursive: true });
  const platform = signed.size > 0 ? 'iphoneos' : 'iphonesimulator';
  const info = { ...infoOf(target, folder), CFBundleExecutable: product, DTPlatformName: platform };
  writeFileSync(join(bundle, 'Info.plist'), binaryPlist({ MinimumOSVersion: '15.0', ...info }));
  writeFileSync(join(bundle, product), PROGRAM, { mode: 0o755 });
  const assets = join(folder, target.name, 'public');
  if (isApp && existsSync(assets)) cpSync(assets, join(bundle, 'public'), { recursive: true });
  for (const embedded of target.embedded) writeBundle(embedded, folder, join(bundle, 'PlugIns'), signed);
  const signature = signed.get(target.name);
  if (signature !== undefined) {
    writeFileSync(join(bundle, 'embedded.mobileprovision'), signature.profile.bytes);
    mkdirSync(join(bundle, '_CodeSignature'));
    writeFileSync(join(bundle, '_CodeSignature/CodeResources'), `signed by ${signature.identity}\n`);
  }
  return bundle;
}
