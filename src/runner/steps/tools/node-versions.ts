import { execFile } from 'node:child_process';
import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StepError } from '../build-run.js';

const DEFAULT_MAJOR = 24;

/** A Node.js of this machine. */
export interface NodeVersion {
  readonly major: number;
  /** Such as `24.1.0`. */
  readonly version: string;
  /** The program, without links. */
  readonly path: string;
}

/**
 * All versions of this machine: those of the folder, and the one of the runner.
 *
 * @param nodeDir with `<major>/bin/node`
 */
export async function findNodeVersions(nodeDir: string | null): Promise<NodeVersion[]> {
  const own = toVersion(process.version, await realpath(process.execPath));
  const names = nodeDir === null ? [] : await readdir(nodeDir).catch(() => []);
  const others = await Promise.all(
    names
      .filter((name) => /^\d{1,3}$/.test(name))
      .map(async (name) => {
        try {
          const path = join(nodeDir ?? '', name, 'bin/node');
          const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000, env: {} });
          const found = toVersion(stdout.trim(), path);
          return found.major === Number(name) ? found : null;
        } catch {
          return null;
        }
      }),
  );
  // What the operator has put into the folder wins.
  const all = [...others.filter((version) => version !== null), own];
  return all.filter(({ major }, index) => all.findIndex((other) => other.major === major) === index);
}

/**
 * The Node.js of a build.
 *
 * @param wanted `NODE_VERSION`, such as `22` or `22.11.0`: the major counts; default: 24
 * @throws StepError when this machine does not have it
 */
export function chooseNode(versions: readonly NodeVersion[], wanted: string | undefined): NodeVersion {
  const text = wanted?.trim() ?? '';
  const [, major = String(DEFAULT_MAJOR)] = /^v?(\d{1,3})(?:\.(?:\d+|x)){0,2}$/.exec(text) ?? [];
  const isKnown = text === '' || /^v?\d{1,3}(\.(\d+|x)){0,2}$/.test(text);
  const found = versions.find((version) => version.major === Number(major));
  if (isKnown && found !== undefined) return found;
  const there = versions
    .map((version) => version.major)
    .toSorted((a, b) => a - b)
    .join(', ');
  const what =
    text === ''
      ? `Node.js ${DEFAULT_MAJOR}`
      : `the Node.js that NODE_VERSION names (${JSON.stringify(text.slice(0, 50))})`;
  throw new StepError('configuration', `This runner does not have ${what}: it has ${there}.`);
}

/** The folder that `PATH` begins with. */
export function binOf({ path }: NodeVersion): string {
  return dirname(path);
}

function toVersion(text: string, path: string): NodeVersion {
  const version = text.replace(/^v/, '');
  return { version, path, major: Number.parseInt(version, 10) };
}
