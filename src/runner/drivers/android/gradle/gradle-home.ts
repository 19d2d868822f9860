import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildProject } from '../../../steps/build-project.js';
import { cacheFolder } from '../../../steps/caches/cache-parts.js';
import { ProjectFolder } from '../../../steps/project/project-folder.js';

/** In the folder for caches: `GRADLE_USER_HOME`. */
const FOLDER = cacheFolder('', 'gradle');
const PROPERTIES = 'gradle.properties';
const MAX_BYTES = 1024 * 1024;

/**
 * How much memory Gradle gets, in MiB: half of what the build may have. The rest is for Gradle's own needs, Node.js and the
 * tools that Gradle starts.
 */
export function heapOf(memoryMiB: number): number {
  return Math.max(256, Math.floor(memoryMiB / 2));
}

/**
 * Runs work with properties that win over those of the project: Gradle reads this file of its home after theirs. What the
 * build has written there stays valid; the file is gone afterwards.
 */
export async function withGradleProperties<R>(
  { run }: BuildProject,
  properties: Readonly<Record<string, string>>,
  work: () => Promise<R>,
): Promise<R> {
  // What an installation has made is hostile: no link is followed.
  const cache = await ProjectFolder.at(run.folders.cache);
  if ((await cache.resolve('native', FOLDER)) === null) {
    // It may be a link to nothing.
    await rm(join(run.folders.cache, FOLDER), { force: true });
    await mkdir(join(run.folders.cache, FOLDER));
  }
  const path = join(FOLDER, PROPERTIES);
  const own = (await cache.read('native', path, MAX_BYTES)) ?? '';
  const remove = async (): Promise<void> => {
    const folder = await cache.resolve('native', FOLDER);
    if (folder !== null) await rm(join(folder, PROPERTIES), { force: true });
  };
  try {
    await remove();
    const lines = Object.entries(properties).map(([name, value]) => `${name}=${propertyText(value)}\n`);
    await cache.write('native', path, `${own}\n\n${lines.join('')}`, 0o600);
    return await work();
  } finally {
    await remove();
  }
}

/** What every build sets. @param memoryMiB what it may have */
export function memoryProperties(memoryMiB: number): Record<string, string> {
  return {
    'org.gradle.jvmargs': `-Xmx${heapOf(memoryMiB)}m -Dfile.encoding=UTF-8`,
    'org.gradle.daemon': 'false',
    // Its own process would have as much memory once more.
    'kotlin.compiler.execution.strategy': 'in-process',
  };
}

/** The value of a property in a file of Java: ASCII, one line. */
export function propertyText(value: string): string {
  return [...value]
    .map((character) => {
      if (/[\\:=#! ]/.test(character)) return `\\${character}`;
      return /^[\x21-\x7E]$/.test(character) ? character : escapedUnits(character);
    })
    .join('');
}

function escapedUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_unit, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
