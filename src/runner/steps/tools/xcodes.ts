import { access, open, readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type PlistDictionary, readPlist, valueOf } from '../../../common/read-plist.js';

const MAX_BYTES = 64 * 1024;
/** Betas have builds such as `17E5170d`, releases such as `17C52`. */
const BETA_BUILD = /^\d+[A-Z]5\d{3}[a-z]$/;

/** An Xcode of this machine. */
export interface Xcode {
  /** As it calls itself, such as `26.2` or `16.4.1`. */
  readonly version: string;
  /** `DEVELOPER_DIR`: chooses it for all its programs. */
  readonly developerDir: string;
  readonly isBeta: boolean;
}

/**
 * The versions of Xcode in a folder, the newest first, and betas behind the release of the same version. Of two of the same version,
 * the first by name counts.
 *
 * @param xcodeDir with `<any name>.app`
 */
export async function findXcodes(xcodeDir: string): Promise<readonly Xcode[]> {
  const names = (await readdir(xcodeDir).catch(() => [])).filter((name) => name.endsWith('.app')).toSorted();
  const found = (await Promise.all(names.map((name) => xcodeAt(join(xcodeDir, name))))).filter(
    (xcode) => xcode !== null,
  );
  const isFirst = ({ version, isBeta }: Xcode, index: number): boolean =>
    found.findIndex((other) => other.version === version && other.isBeta === isBeta) === index;
  return found
    .filter(isFirst)
    .toSorted((a, b) => compareVersions(b.version, a.version) || Number(a.isBeta) - Number(b.isBeta));
}

/** @returns `null`: it is none */
async function xcodeAt(path: string): Promise<Xcode | null> {
  try {
    // Such as Xcode.app, which often leads to one of several versions.
    const folder = await realpath(path);
    const developerDir = join(folder, 'Contents/Developer');
    await access(join(developerDir, 'usr/bin/xcodebuild'));
    const facts = await readVersions(join(folder, 'Contents/version.plist'));
    const version = valueOf(facts, 'CFBundleShortVersionString');
    if (typeof version !== 'string' || !/^\d{1,3}(\.\d{1,3}){0,3}$/.test(version)) return null;
    const build = valueOf(facts, 'ProductBuildVersion');
    const isBeta = /beta/i.test(basename(folder)) || (typeof build === 'string' && BETA_BUILD.test(build));
    return { version, developerDir, isBeta };
  } catch {
    return null;
  }
}

async function readVersions(path: string): Promise<PlistDictionary> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return size > MAX_BYTES ? {} : readPlist(await file.readFile());
  } finally {
    await file.close();
  }
}

/** `26.2` is newer than `26.0.1` and `16.4`. */
export function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
