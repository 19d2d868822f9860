import { constants } from 'node:fs';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where distributions of Linux install JDKs. */
const MACHINE_DIR = '/usr/lib/jvm';

/** A JDK of this machine. */
export interface Jdk {
  /** `JAVA_HOME`: has `bin/java` and the other programs. */
  readonly home: string;
  /** Such as 17. */
  readonly major: number;
}

/**
 * The JDKs of this machine, by version, one of each: those of the folder win over those that the machine has itself.
 *
 * @param jdkDir with `<any name>/bin/java` and `<any name>/release`
 */
export async function findJdks(jdkDir: string | null): Promise<readonly Jdk[]> {
  const found = [...(jdkDir === null ? [] : await jdksIn(jdkDir)), ...(await jdksIn(MACHINE_DIR))];
  return found
    .filter(({ major }, index) => found.findIndex((other) => other.major === major) === index)
    .toSorted((a, b) => a.major - b.major);
}

async function jdksIn(folder: string): Promise<Jdk[]> {
  const names = (await readdir(folder).catch(() => [])).toSorted();
  const found = await Promise.all(names.map((name) => jdkAt(join(folder, name))));
  return found.filter((jdk) => jdk !== null);
}

/** @returns `null`: it is none; a Java without a compiler cannot build */
async function jdkAt(home: string): Promise<Jdk | null> {
  try {
    for (const program of ['java', 'javac']) await access(join(home, 'bin', program), constants.X_OK);
    const major = majorOf(await readFile(join(home, 'release'), 'utf8'));
    return major === null ? null : { home, major };
  } catch {
    return null;
  }
}

/** @param release the file of a JDK; Java 8 calls itself 1.8 */
export function majorOf(release: string): number | null {
  const [, major] = /^JAVA_VERSION="(?:1\.)?(\d{1,3})\b/m.exec(release) ?? [];
  return major === undefined ? null : Number(major);
}
