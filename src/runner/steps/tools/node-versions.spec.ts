import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseNode, findNodeVersions, type NodeVersion } from './node-versions.js';
import { RegistryError } from './store/package-registry.js';

const toVersion = (version: string): NodeVersion => ({
  version,
  major: Number.parseInt(version, 10),
  path: `/opt/${version}/bin/node`,
});
const versions = ['20.1.0', '24.2.0'].map(toVersion);
const wanted = (text: string, declaredBy = '.nvmrc') => ({ text, declaredBy });
const lineOf = async (text: string, declaredBy?: string): Promise<string> =>
  (await chooseNode(versions, wanted(text, declaredBy), null)).line;

describe('chooseNode', () => {
  it('takes 24 for a project that asks for none', async () => {
    expect(await chooseNode(versions, null, null)).toEqual({
      node: versions[1],
      line: 'Using Node.js 24.2.0',
    });
    await expect(chooseNode(versions.slice(0, 1), null, null)).rejects.toThrow(
      'This runner does not have Node.js 24: it has 20.1.0. Its operator can add it to RUNNER_NODE_DIR, or set RUNNER_NODE_DOWNLOADS=true.',
    );
  });

  it.each([
    ['20', 'Using Node.js 20.1.0, as .nvmrc says'],
    ['v20', 'Using Node.js 20.1.0, as .nvmrc says'],
    ['v20.1', 'Using Node.js 20.1.0, as .nvmrc says'],
    ['20.x', 'Using Node.js 20.1.0, as .nvmrc says'],
    ['20.1.0', 'Using Node.js 20.1.0, as .nvmrc says'],
    ['lts/iron', 'Using Node.js 20.1.0, as .nvmrc says (lts/iron)'],
    ['lts/*', 'Using Node.js 24.2.0, as .nvmrc says (lts/*)'],
    ['>=20', 'Using Node.js 24.2.0, as .nvmrc says (>=20)'],
    ['^20.0.0 || >=26', 'Using Node.js 20.1.0, as .nvmrc says (^20.0.0 || >=26)'],
    ['20.11.1', 'Using Node.js 20.1.0: .nvmrc names 20.11.1, which this runner does not have'],
    ['v24.9', 'Using Node.js 24.2.0: .nvmrc names v24.9, which this runner does not have'],
  ])('understands %s', async (text, line) => {
    expect(await lineOf(text)).toBe(line);
  });

  it.each(['22', '22.1.0', 'lts/jod', '^20.2.0', '>24'])(
    'takes no other major for %s, and says what is there',
    async (text) => {
      await expect(lineOf(text, 'apps/shop/.nvmrc')).rejects.toMatchObject({
        step: 'configuration',
        message: `This runner does not have the Node.js that apps/shop/.nvmrc names (${JSON.stringify(text)}): it has 20.1.0, 24.2.0. Its operator can add it to RUNNER_NODE_DIR, or set RUNNER_NODE_DOWNLOADS=true.`,
      });
    },
  );

  it.each(['node', 'latest', 'lts/-1', 'lts/unknown', 'lts/constructor', '24; rm -rf /', '-1', 'system'])(
    'refuses %s, which names no version',
    async (text) => {
      await expect(lineOf(text, 'NODE_VERSION')).rejects.toThrow(
        `NODE_VERSION names ${JSON.stringify(text)}, which is no version of Node.js that builds can read`,
      );
    },
  );

  it('downloads what no version of this machine fits, also another minor', async () => {
    const download = (): Promise<NodeVersion> => Promise.resolve(toVersion('20.11.1'));
    const { node, line } = await chooseNode(versions, wanted('20.11.1'), download);
    expect([node.version, line]).toEqual(['20.11.1', 'Using Node.js 20.11.1, as .nvmrc says']);
    const refuse = (): Promise<NodeVersion> => Promise.reject(new RegistryError('https://npm.test/ is away'));
    expect((await chooseNode(versions, wanted('20'), refuse)).node.version).toBe('20.1.0');
    await expect(chooseNode(versions, wanted('20.11.1'), refuse)).rejects.toThrow(
      'names ("20.11.1"): it has 20.1.0, 24.2.0. It cannot fetch another one: https://npm.test/ is away.',
    );
  });
});

describe('findNodeVersions', () => {
  it('finds versions by their folders, and the one of the runner', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-node-'));
    try {
      for (const [name, version] of [
        ['18', 'v18.3.0'],
        ['21', 'v99.0.0'],
        ['other', 'v20.0.0'],
      ] as const) {
        const path = join(folder, name, 'bin/node');
        await mkdir(join(path, '..'), { recursive: true });
        await writeFile(path, `#!/bin/sh\necho ${version}\n`);
        await chmod(path, 0o755);
      }
      const found = await findNodeVersions(folder);
      const own = process.version.slice(1);
      expect(found.map(({ version }) => version)).toEqual(['18.3.0', own]);
      expect(await findNodeVersions(join(folder, 'absent'))).toHaveLength(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
