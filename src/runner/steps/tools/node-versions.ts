import { execFile } from 'node:child_process';
import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StepError } from '../build-run.js';
import { newestIn, type NodeRange } from './node/node-ranges.js';
import { meaningOf, type WantedNode } from './node/wanted-node.js';
import { RegistryError } from './store/package-registry.js';
import { PackageError } from './store/unpack-package.js';

const DEFAULT = '24';

/** A Node.js of this machine. */
export interface NodeVersion {
  readonly major: number;
  /** Such as `24.1.0`. */
  readonly version: string;
  /** The program, without links. */
  readonly path: string;
}

/** The Node.js of a build. */
export interface NodeChoice {
  readonly node: NodeVersion;
  /** For the log: which one, and why. */
  readonly line: string;
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
 * The Node.js of a build: the newest of this machine that fits, else one from the registry. Where there are no downloads, a
 * version of which only the major is there gets that one, never another major.
 *
 * @param wanted `null`: the project asks for none and gets 24
 * @param download `null`: the operator allows no downloads
 * @throws StepError when there is none
 */
export async function chooseNode(
  versions: readonly NodeVersion[],
  wanted: WantedNode | null,
  download: ((range: NodeRange) => Promise<NodeVersion>) | null,
): Promise<NodeChoice> {
  const text = wanted?.text ?? DEFAULT;
  const shown = JSON.stringify(text.slice(0, 50));
  const meaning = meaningOf(text);
  if (meaning === null) {
    throw new StepError(
      'configuration',
      `${wanted?.declaredBy} names ${shown}, which is no version of Node.js that builds can read: write one such as 24, 22.11.0, >=20 or lts/krypton.`,
    );
  }
  const { range, major } = meaning;
  const found = newestIn(versions, range);
  if (found !== undefined) return choiceOf(found, wanted, major);
  const near = versions.find((version) => version.major === major);
  if (download === null && near !== undefined) {
    const line = `Using Node.js ${near.version}: ${wanted?.declaredBy} names ${text}, which this runner does not have`;
    return { node: near, line };
  }
  let remedy = 'Its operator can add it to RUNNER_NODE_DIR, or set RUNNER_NODE_DOWNLOADS=true.';
  try {
    if (download !== null) return choiceOf(await download(range), wanted, major);
  } catch (error) {
    if (!(error instanceof RegistryError) && !(error instanceof PackageError)) throw error;
    remedy = `It cannot fetch another one: ${error.message}.`;
  }
  const there = versions.toSorted((a, b) => a.major - b.major).map(({ version }) => version);
  const what =
    wanted === null ? `Node.js ${DEFAULT}` : `the Node.js that ${wanted.declaredBy} names (${shown})`;
  throw new StepError(
    'configuration',
    `This runner does not have ${what}: it has ${there.join(', ')}. ${remedy}`,
  );
}

function choiceOf(node: NodeVersion, wanted: WantedNode | null, major: number | null): NodeChoice {
  if (wanted === null) return { node, line: `Using Node.js ${node.version}` };
  const detail = major === null ? ` (${wanted.text.slice(0, 50)})` : '';
  return { node, line: `Using Node.js ${node.version}, as ${wanted.declaredBy} says${detail}` };
}

/** The folder that `PATH` begins with. */
export function binOf({ path }: NodeVersion): string {
  return dirname(path);
}

function toVersion(text: string, path: string): NodeVersion {
  const version = text.replace(/^v/, '');
  return { version, path, major: Number.parseInt(version, 10) };
}
