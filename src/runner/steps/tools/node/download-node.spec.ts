import { execFile } from 'node:child_process';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ToolRegistry } from '../../../../../test/support/runners/tool-registry.js';
import { removeFolder } from '../../../folders/remove-folder.js';
import type { NodeVersion } from '../node-versions.js';
import { downloadNode } from './download-node.js';
import { parseRange } from './node-ranges.js';

const PACKAGE = `${process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${process.platform}-${process.arch}`;

let root: string;
let registry: ToolRegistry;
let notes: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-node-'));
  registry = await ToolRegistry.start();
  notes = [];
  for (const version of ['20.9.0', '20.19.5', '22.11.0', '22.12.0-test1', '23.0.0']) {
    const content = `#!/bin/sh\n[ "$1" = --version ] && echo v${version} || cat "$1"\n`;
    registry.publish(PACKAGE, version, [{ path: 'package/bin/node', content, mode: 0o755 }]);
  }
  for (const [version, node] of Object.entries({ '10.9.9': '>=18', '11.2.0': '>=20', '12.2.2': '>=24' })) {
    registry.publish('npm', version, [{ path: 'package/bin/npm-cli.js', content: `npm ${version}` }], {
      bin: { npm: 'bin/npm-cli.js' },
      engines: { node },
    });
  }
});
afterEach(async () => {
  await registry.stop();
  await removeFolder(root);
});

const download = (range: string, toolRegistry = registry.url): Promise<NodeVersion> =>
  downloadNode(
    parseRange(range) ?? [],
    { storeDir: root, toolRegistry },
    new AbortController().signal,
    (line) => notes.push(line),
  );

const run = async (bin: string, name: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(name, args, { env: { PATH: `${bin}:/usr/bin:/bin` } })).stdout.trim();

it.each([
  ['20', '20.19.5', 'npm 10.9.9'],
  ['20.9.0', '20.9.0', 'npm 10.9.9'],
  ['>=22 <23', '22.11.0', 'npm 10.9.9'],
  // No table says which npm it had: the newest that runs with it.
  ['>=20', '23.0.0', 'npm 11.2.0'],
])('is the newest release of %s with the npm that fits', async (range, version, npm) => {
  const node = await download(range);
  const bin = join(root, 'node', version, 'bin');
  expect(node).toEqual({ version, major: Number.parseInt(version, 10), path: join(bin, 'node') });
  expect([await run(bin, 'node', '--version'), await run(bin, 'npm')]).toEqual([`v${version}`, npm]);
  expect(notes).toEqual([`Fetched Node.js ${version} from ${registry.url}`]);
  expect(dirname(node.path)).toBe(bin);
});

it('is one that was fetched before where the registry is away', async () => {
  await download('20.9.0');
  expect((await download('20', 'http://127.0.0.1:9/')).version).toBe('20.9.0');
  expect(notes).toHaveLength(1);
  await expect(download('22', 'http://127.0.0.1:9/')).rejects.toThrow(/cannot be reached/);
});

it('is nothing where the registry has none, or no npm for it', async () => {
  await expect(download('18')).rejects.toThrow(`${registry.url} has no ${PACKAGE} that fits`);
  registry.publish(PACKAGE, '16.20.0', [{ path: 'package/bin/node', content: '' }]);
  await expect(download('16')).rejects.toThrow(`${registry.url} has no npm that fits`);
  expect(await readdir(join(root, 'node'))).toEqual([]);
});
