import { join } from 'node:path';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import { isObject } from '../../../steps/project/project-folder.js';
import { withoutComments } from './gradle-text.js';

const MAX_BYTES = 512 * 1024;
/** Where projects name the plugin. */
const FILES = [
  'build.gradle',
  'build.gradle.kts',
  'settings.gradle',
  'settings.gradle.kts',
  'app/build.gradle',
  'app/build.gradle.kts',
];
/** Where they name versions. */
const VARIABLES = ['variables.gradle', 'gradle.properties'];
const CATALOG = 'gradle/libs.versions.toml';
/** What Cordova writes. */
const CORDOVA = 'cdv-gradle-config.json';

const VERSION = '\\d{1,4}\\.\\d{1,4}(?:\\.\\d{1,4})?(?:-[\\w.]{1,20})?';
const PLUGIN = 'com\\.android\\.(?:application|library|tools\\.build:gradle)';
/** `com.android.tools.build:gradle:8.7.2`, `id("com.android.application") version "8.7.2"`, or a variable instead. */
const NAMED = new RegExp(
  `${PLUGIN}["']?\\)?(?::|[ \\t]{1,20}version[ \\t(]{1,20}["']?)(?:(${VERSION})|\\$?\\{?([\\w.]{1,100}))`,
);
/** Of a version catalog. */
const IN_CATALOG = new RegExp(
  `["']com\\.android\\.(?:application|library|tools\\.build:gradle)(?::(${VERSION}))?["']([^\\n]{0,200})`,
);

/**
 * The version of the project's Android Gradle plugin.
 *
 * @param gradleDir relative to the working copy
 * @returns such as `8.7.2`; `null`: the files do not say
 */
export async function findPluginVersion(files: ProjectFolder, gradleDir: string): Promise<string | null> {
  const read = async (name: string): Promise<string> =>
    (await files.read('configuration', join(gradleDir, name), MAX_BYTES)) ?? '';
  const cordova = await files.readJson('configuration', join(gradleDir, CORDOVA), MAX_BYTES);
  if (isObject(cordova) && typeof cordova['AGP_VERSION'] === 'string') return cordova['AGP_VERSION'];
  const texts = (await Promise.all(FILES.map(read))).map(withoutComments);
  const variables = (await Promise.all(VARIABLES.map(read))).map(withoutComments);
  for (const text of texts) {
    const [, version, variable] = NAMED.exec(text) ?? [];
    if (version !== undefined) return version;
    const name = variable?.split('.').at(-1) ?? '';
    const found = name === '' ? null : valueIn([...variables, ...texts], name);
    if (found !== null) return found;
  }
  return inCatalog(await read(CATALOG));
}

function inCatalog(catalog: string): string | null {
  const [, version, rest = ''] = IN_CATALOG.exec(catalog) ?? [];
  if (version !== undefined) return version;
  const [, direct] = new RegExp(`\\bversion[ \\t]{0,20}=[ \\t]{0,20}["'](${VERSION})["']`).exec(rest) ?? [];
  if (direct !== undefined) return direct;
  const [, ref] = /\bversion\.ref[ \t]{0,20}=[ \t]{0,20}["']([\w.-]{1,100})["']/.exec(rest) ?? [];
  return ref === undefined ? null : valueIn([catalog], ref);
}

function valueIn(texts: readonly string[], name: string): string | null {
  const escaped = name.replaceAll(/[.-]/g, '\\$&');
  const pattern = new RegExp(`(?<![\\w-])${escaped}[ \\t]{0,20}=[ \\t]{0,20}["']?(${VERSION})(?!\\w)`);
  for (const text of texts) {
    const [, version] = pattern.exec(text) ?? [];
    if (version !== undefined) return version;
  }
  return null;
}
