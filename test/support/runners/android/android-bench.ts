import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fromBufferPromise } from 'yauzl';
import { readFile } from 'node:fs/promises';
import { BuildBench } from '../build-bench.js';

const dist = join(import.meta.dirname, '../../../../dist/src/runner');
const load = (path: string): Promise<unknown> => import(pathToFileURL(join(dist, path)).href);
type FindSandbox = typeof import('../../../../src/runner/sandbox/find-sandbox.js').findSandbox;
type ToolFolders = typeof import('../../../../src/runner/steps/tools/tool-folders.js').toolFolders;

/** A bench whose builds run in the real sandbox, with the tools of this machine. @param allow as `RUNNER_ALLOW` */
export async function createAndroidBench(allow: readonly string[] = []): Promise<BuildBench> {
  const { findSandbox } = (await load('sandbox/find-sandbox.js')) as { findSandbox: FindSandbox };
  const { toolFolders } = (await load('steps/tools/tool-folders.js')) as { toolFolders: ToolFolders };
  const sandbox = await findSandbox({
    trustRepositories: false,
    allow,
    npmRegistry: null,
    memoryMiB: 2048,
    processes: 512,
    diskMiB: 1024,
    readOnly: toolFolders({ nodeDir: null, androidHome: null, jdkDir: null, toolsDir: null, storeDir: null }),
    apiUrl: 'http://127.0.0.1:3000',
  });
  return BuildBench.create((folders) => sandbox.open(folders), sandbox);
}

/** What `aapt dump badging` prints about an apk. */
export function badging(path: string): string {
  return execFileSync('aapt', ['dump', 'badging', path], { encoding: 'utf8' });
}

/** The names of the entries of a zip. */
export async function entryNames(path: string): Promise<string[]> {
  const zip = await fromBufferPromise(await readFile(path));
  const names: string[] = [];
  for await (const { fileName } of zip.eachEntry()) names.push(fileName);
  return names;
}
