import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseNode, findNodeVersions } from './node-versions.js';

const versions = ['20.1.0', '24.2.0'].map((version) => ({
  version,
  major: Number.parseInt(version, 10),
  path: `/opt/${version}/bin/node`,
}));

describe('chooseNode', () => {
  it.each([
    [undefined, 24],
    ['', 24],
    ['20', 20],
    ['v20', 20],
    ['20.11.1', 20],
    ['20.x', 20],
  ])('understands NODE_VERSION=%s', (wanted, major) => {
    expect(chooseNode(versions, wanted).major).toBe(major);
  });

  it.each(['22', 'lts/*', '24; rm -rf /', '-1'])('refuses %s, and says what is there', (wanted) => {
    expect(() => chooseNode(versions, wanted)).toThrow(/NODE_VERSION names .*: it has 20, 24\.$/);
  });

  it('refuses a build that names none if there is no Node.js 24', () => {
    expect(() => chooseNode(versions.slice(0, 1), undefined)).toThrow(
      'This runner does not have Node.js 24: it has 20.',
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
