import { dirname, join } from 'node:path';
import { isObject, type ProjectFolder } from '../../project/project-folder.js';
import { fits, type NodeRange, parseRange } from './node-ranges.js';

const MAX_BYTES = 1024 * 1024;

/** The majors of LTS lines by their names: CODENAMES.md of nodejs/Release. */
const LTS: Readonly<Record<string, number>> = {
  argon: 4,
  boron: 6,
  carbon: 8,
  dubnium: 10,
  erbium: 12,
  fermium: 14,
  gallium: 16,
  hydrogen: 18,
  iron: 20,
  jod: 22,
  krypton: 24,
  lithium: 26,
};

/** The Node.js that a project asks for. */
export interface WantedNode {
  /** As it is written, such as `22.11.0`, `lts/iron` or `>=20`. */
  readonly text: string;
  /** Where it is written: a variable, or a file of the repository. */
  readonly declaredBy: string;
}

/** What a text means. */
export interface NodeMeaning {
  readonly range: NodeRange;
  /** If it is a version or the first part of one, its major; `null`: it is a range or a name. */
  readonly major: number | null;
}

/** @returns `null`: it means no version that a runner could know, such as `latest` */
export function meaningOf(text: string): NodeMeaning | null {
  const [, major] = /^v?(\d{1,3})(?:\.(?:\d{1,9}|x)){0,2}$/.exec(text) ?? [];
  const [, line] = /^lts\/(\*|[a-z]+)$/i.exec(text) ?? [];
  const majors = line === '*' ? Object.values(LTS) : [LTS[line?.toLowerCase() ?? '']];
  const ranges = line === undefined ? text : majors.map((one) => one ?? 'unknown').join(' || ');
  const range = parseRange(ranges);
  return range === null ? null : { range, major: major === undefined ? null : Number(major) };
}

/**
 * Finds what the project asks for: in the folder where commands run, else in the next one above it, up to the root of the
 * repository. In one folder `.nvmrc` comes first, then `.node-version`, `volta` and `devEngines` of package.json.
 *
 * @param baseDir relative to the working copy, without links
 * @returns `null`: it leaves that open
 * @throws StepError when a file cannot be read
 */
export async function findWantedNode(project: ProjectFolder, baseDir: string): Promise<WantedNode | null> {
  for (const folder of upwards(baseDir)) {
    for (const name of ['.nvmrc', '.node-version']) {
      const path = join(folder, name);
      const text = firstLine((await project.read('configuration', path, MAX_BYTES)) ?? '');
      if (text !== '') return { text, declaredBy: path };
    }
    const path = join(folder, 'package.json');
    const { volta, devEngines } = (await project.readJson('configuration', path, MAX_BYTES)) ?? {};
    if (isObject(volta) && typeof volta['node'] === 'string') {
      return { text: volta['node'].trim(), declaredBy: `volta in ${path}` };
    }
    const runtime = isObject(devEngines) ? runtimeOf(devEngines['runtime']) : null;
    if (runtime !== null) return { text: runtime, declaredBy: `devEngines in ${path}` };
  }
  return null;
}

/**
 * What `engines` says against a Node.js. It binds those who install the project as a package, so it chooses none.
 *
 * @param version such as `22.11.0`
 * @returns a line for the log; `null`: nothing
 */
export async function engineWarning(
  project: ProjectFolder,
  baseDir: string,
  version: string,
): Promise<string | null> {
  for (const folder of upwards(baseDir)) {
    const path = join(folder, 'package.json');
    const { engines } = (await project.readJson('configuration', path, MAX_BYTES)) ?? {};
    const range = isObject(engines) ? engines['node'] : undefined;
    if (typeof range !== 'string') continue;
    return fits(version, range)
      ? null
      : `Warning: engines in ${path} asks for Node.js ${range.slice(0, 100)}, and this build uses ${version}. NODE_VERSION or .nvmrc chooses another one`;
  }
  return null;
}

/** @param value one runtime or several. With `onFail` `warn` or `ignore`, npm goes on with another Node.js, and so do builds */
function runtimeOf(value: unknown): string | null {
  const runtimes = (Array.isArray(value) ? value : [value]) as readonly unknown[];
  for (const runtime of runtimes) {
    if (!isObject(runtime) || runtime['name'] !== 'node') continue;
    const { version, onFail } = runtime;
    if (typeof version === 'string' && onFail !== 'warn' && onFail !== 'ignore') return version.trim();
  }
  return null;
}

/** Without comments, which nvm and others allow. */
function firstLine(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.map((line) => line.replace(/#.*/, '').trim()).find((line) => line !== '') ?? '';
}

/** A folder, and those above it, each relative to the working copy; the last one is `''`. */
function upwards(folder: string): string[] {
  return folder === '' ? [''] : [folder, ...upwards(dirname(`/${folder}`).slice(1))];
}
