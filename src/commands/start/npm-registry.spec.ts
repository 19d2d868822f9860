import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInRegistry, machineRegistry } from './npm-registry.js';

describe('the registry of this machine', () => {
  it.each([
    [{ npm_config_registry: 'https://npm.corp.example.com/' }, 'https://npm.corp.example.com/'],
    [{ NPM_CONFIG_REGISTRY: 'http://10.1.2.3:4873' }, 'http://10.1.2.3:4873/'],
    [
      { npm_config_registry: 'https://ada:secret@npm.corp.example.com/repository/npm?x=1#y' },
      'https://npm.corp.example.com/repository/npm/',
    ],
    [{ npm_config_registry: 'https://registry.npmjs.org/' }, null],
    [{ npm_config_registry: 'https://registry.npmjs.org' }, null],
    [{ npm_config_registry: 'npm.corp.example.com' }, null],
    // npm has started the server, and would have said another one.
    [{ npm_lifecycle_event: 'start' }, null],
  ])('with %j is %s', async (env, registry) => {
    // A PATH without npm: it is not asked.
    expect(await machineRegistry({ PATH: '/nowhere', ...env })).toBe(registry);
  });

  it('is the one that npm says when npm has not started the server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-spec-'));
    const npm = join(folder, 'npm');
    await writeFile(
      npm,
      '#!/bin/sh\n[ -z "$SECRET" ] && echo "http://10.1.2.3:4873/ $*" | sed "s/ config get registry$//"\n',
    );
    await chmod(npm, 0o755);
    const PATH = `${folder}:/usr/bin:/bin`;
    expect(await machineRegistry({ PATH, SECRET: 'of the server' })).toBe('http://10.1.2.3:4873/');
    await writeFile(npm, '#!/bin/sh\nexit 1\n');
    expect(await machineRegistry({ PATH })).toBeNull();
    await rm(folder, { recursive: true });
    expect(await machineRegistry({ PATH: folder })).toBeNull();
  });
});

describe('the registry of builds', () => {
  const machine = (registry: string | null) => () => Promise.resolve(registry);

  it('is that of the machine, and the banner names it and how to turn it off', async () => {
    const { url, lines } = await builtInRegistry({}, machine('http://10.1.2.3:4873/'));
    expect(url).toBe('http://10.1.2.3:4873/');
    expect(lines.join(' ')).toBe(
      "with packages of the npm registry http://10.1.2.3:4873/ of this machine's npm configuration, which builds reach on port 4873 (RUNNER_NPM_REGISTRY= turns this off)",
    );
  });

  it('is the public one where the machine has no other', async () => {
    expect(await builtInRegistry({}, machine(null))).toEqual({ url: null, lines: [] });
  });

  it('is what RUNNER_NPM_REGISTRY says: nothing, or another one without credentials', async () => {
    const read = machine('http://10.1.2.3:4873/');
    expect(await builtInRegistry({ RUNNER_NPM_REGISTRY: '' }, read)).toEqual({ url: null, lines: [] });
    const other = await builtInRegistry({ RUNNER_NPM_REGISTRY: 'https://ada:secret@10.9.9.9/npm' }, read);
    expect(other.url).toBe('https://10.9.9.9/npm/');
    expect(other.lines.join(' ')).toContain(
      'https://10.9.9.9/npm/ of RUNNER_NPM_REGISTRY, which builds reach on port 443',
    );
  });

  it.each(['http://localhost:4873/', 'http://127.0.0.1:4873/', 'http://[::1]:4873/', 'http://0.0.0.0:4873/'])(
    'is none where it is %s, and the banner says why',
    async (registry) => {
      const { url, lines } = await builtInRegistry({}, machine(registry));
      expect(url).toBeNull();
      expect(lines.join(' ')).toBe(
        `Builds cannot reach the npm registry ${registry} of this machine's npm configuration: it is on the loopback of this machine. Set RUNNER_NPM_REGISTRY to an address of it in the network, or to nothing.`,
      );
    },
  );
});
