import { ArtifactProblem } from './artifact-problem.js';

/** What begins with these bytes, for people who took the wrong file. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^PK/, 'a zip that is damaged or not complete'],
  // eslint-disable-next-line no-control-regex -- that is how it begins
  [/^\x1f\x8b/, 'a gzip archive'],
  [/^(xar!|7z\xbc\xaf|Rar!|BZh|\xfd7zXZ)/, 'another archive than a zip'],
  [/^\s*<(!doctype html|html)/i, 'a web page'],
  [/^version https:\/\/git-lfs/, 'a pointer of Git LFS instead of the file itself'],
  [/^[\t\n\r\x20-\x7e]+$/, 'a text'],
];

/** @param beginning the first bytes of a file that cannot be read as a zip */
export function notAZip(beginning: Buffer): ArtifactProblem {
  const bytes = beginning.toString('latin1');
  const kind = BEGINNINGS.find(([pattern]) => pattern.test(bytes))?.[1];
  return new ArtifactProblem(kind === undefined ? 'it is no zip' : `it is ${kind}`);
}

/** What has a file like these, the most certain first. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^base\/manifest\/AndroidManifest\.xml$/, 'an aab'],
  [/^toc\.pb$/, 'an APK set of bundletool'],
  [/^classes\.jar$/, 'an Android library'],
  [/^AndroidManifest\.xml$/, 'an apk'],
  [/^Payload\/[^/]+\.app\//, 'an ipa'],
  [/^[^/]+\.xcarchive\/|^Products\/Applications\//, 'an archive of Xcode'],
  [/^[^/]+\.app\//, 'a zipped app without the folder Payload'],
  [/(^|\/)index\.html$/, 'a zip of a web app'],
  [/^META-INF\/MANIFEST\.MF$/, 'a Java archive'],
];

/** What a zip with these paths is. */
export function describeFile(paths: readonly string[]): string {
  const kind = KINDS.find(([pattern]) => paths.some((path) => pattern.test(path)));
  return kind?.[1] ?? (paths.length === 0 ? 'an empty zip' : 'a zip without an app');
}
