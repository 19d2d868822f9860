import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { removeFolder } from '../../folders/remove-folder.js';
import { type TarEntry, ToolRegistry } from '../../../../test/support/runners/tool-registry.js';
import { PUBLIC_REGISTRY } from './store/package-registry.js';
import { ToolStore, type ToolName } from './tool-store.js';

const DECLARED = 'packageManager in package.json';
const PLATFORM = `${process.platform}-${process.arch}`;

let root: string;
let registry: ToolRegistry;
let notes: string[];
const stopping = new AbortController();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-store-'));
  registry = await ToolRegistry.start();
  notes = [];
});
afterEach(async () => {
  await registry.stop();
  await removeFolder(root);
});

interface Settings {
  readonly nodeVersion?: string;
  readonly toolsDir?: string;
  readonly url?: string;
  readonly signal?: AbortSignal;
  readonly attempts?: number;
  readonly sha512?: string;
}

const provide = (name: ToolName, version: string, settings: Settings = {}): Promise<{ bin: string }> => {
  const { nodeVersion = '24.1.0', toolsDir = null, url = registry.url, attempts = 1 } = settings;
  const options = { storeDir: join(root, 'tools'), toolsDir, toolRegistry: url };
  const limits = { attempts, documentWithin: 500, packageWithin: 500, packageBytes: 100_000 };
  const store = new ToolStore(options, nodeVersion, settings.signal ?? stopping.signal, limits);
  return store.provide(name, version, DECLARED, (line) => notes.push(line), settings.sha512);
};

/** Runs a program as a build does. */
async function run(bin: string, name: string, ...args: string[]): Promise<string> {
  const env = { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` };
  return (await promisify(execFile)(name, args, { env })).stdout.trim();
}

const script = (path: string, text: string): TarEntry => ({
  path: `package/${path}`,
  content: `console.log(${JSON.stringify(text)}, ...process.argv.slice(2))`,
});
const native = (path: string, text: string): TarEntry => ({
  path: `package/${path}`,
  content: `#!/bin/sh\necho ${text} "$@"\n`,
});

function publishPnpm(version: string, manifest: object = {}): void {
  const bin = { pnpm: 'bin/pnpm.cjs', pnpx: './bin/pnpx.cjs' };
  const entries = [script('bin/pnpm.cjs', `pnpm ${version}`), script('bin/pnpx.cjs', 'pnpx')];
  registry.publish('pnpm', version, entries, { bin, ...manifest });
}

const stored = async (name: string): Promise<string[]> =>
  (await readdir(join(root, 'tools', name)).catch(() => [])).toSorted();

describe('a tool of an exact version', () => {
  it('comes from the registry once, is read-only, and runs with the Node.js of the PATH', async () => {
    publishPnpm('10.28.1');
    const { bin } = await provide('pnpm', '10.28.1');
    expect(bin).toBe(join(root, 'tools/pnpm/10.28.1/bin'));
    expect(await run(bin, 'pnpm', 'install', 'a b')).toBe('pnpm 10.28.1 install a b');
    expect(await run(bin, 'pnpx')).toBe('pnpx');
    const modes = await Promise.all(
      ['', 'pnpm', '../package/bin/pnpm.cjs'].map(async (path) => (await stat(join(bin, path))).mode & 0o777),
    );
    expect(modes).toEqual([0o555, 0o555, 0o444]);
    const count = registry.requested.length;
    expect(await provide('pnpm', '10.28.1')).toEqual({ version: '10.28.1', bin });
    expect(registry.requested).toHaveLength(count);
    expect(notes).toEqual([expect.stringMatching(/^Fetched pnpm 10\.28\.1 from http:\S+ in \d\.\d s$/)]);
  });

  it('has the hash that the project expects', async () => {
    publishPnpm('10.28.1');
    const wrong = { sha512: 'ab'.repeat(64) };
    const message =
      'packageManager in package.json expects pnpm 10.28.1 with another SHA-512 than the one of ';
    await expect(provide('pnpm', '10.28.1', wrong)).rejects.toThrow(message);
    // Also when it is there already.
    await expect(provide('pnpm', '10.28.1', wrong)).rejects.toThrow(message);
    const digest = await readFile(join(root, 'tools/pnpm/10.28.1/sha512'), 'utf8');
    const sha512 = Buffer.from(digest, 'base64').toString('hex');
    expect(sha512).toHaveLength(128);
    await provide('pnpm', '10.28.1', { sha512 });
  });

  it('is Yarn 1 of one package, and later ones of another', async () => {
    registry.publish('yarn', '1.22.22', [script('bin/yarn.js', 'one')], { bin: { yarn: 'bin/yarn.js' } });
    registry.publish('@yarnpkg/cli-dist', '4.9.1', [script('bin/yarn.js', 'four')], {
      bin: { yarn: './bin/yarn.js' },
    });
    expect(await run((await provide('yarn', '1.22.22')).bin, 'yarn')).toBe('one');
    expect(await run((await provide('yarn', '4.9.1')).bin, 'yarn')).toBe('four');
  });

  it('is pnpm with its own Node.js where that of the build is too old', async () => {
    publishPnpm('11.2.0', { engines: { node: '>=22.13' } });
    registry.publish('@pnpm/exe', '11.2.0', [script('dist/pnpm.mjs', '')], {
      optionalDependencies: { [`@pnpm/${PLATFORM}`]: '11.2.0', '@pnpm/plan9-x64': '11.2.0' },
    });
    registry.publish(`@pnpm/${PLATFORM}`, '11.2.0', [native('pnpm', 'exe')]);
    expect(await run((await provide('pnpm', '11.2.0')).bin, 'pnpm')).toBe('pnpm 11.2.0');
    for (const _ of [1, 2]) {
      const { bin } = await provide('pnpm', '11.2.0', { nodeVersion: '20.1.0' });
      expect(await run(bin, 'pnpm', 'install')).toBe('exe install');
      expect(await run(bin, 'pnpx', 'vite')).toBe('exe dlx vite');
      expect(await readdir(join(bin, '../package'))).toContain('dist');
    }
    expect(await stored('pnpm')).toEqual(['11.2.0', '11.2.0+exe']);
  });

  it('is the program of the platform for pnpm 12 and Bun', async () => {
    registry.publish('pnpm', '12.4.2', [native('pnpm', 'placeholder')], {
      bin: { pnpm: 'pnpm' },
      optionalDependencies: { [`@pnpm/exe.${PLATFORM}`]: '12.4.2' },
    });
    registry.publish(`@pnpm/exe.${PLATFORM}`, '12.4.2', [native('pnpm', 'native')]);
    expect(await run((await provide('pnpm', '12.4.2')).bin, 'pnpm', 'ci')).toBe('native ci');
    for (const kind of ['', '-baseline']) {
      const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
      registry.publish(`@oven/bun-${process.platform}-${arch}${kind}`, '1.4.4', [native('bin/bun', 'bun')]);
    }
    const { bin } = await provide('bun', '1.4.4');
    expect([await run(bin, 'bun', 'install'), await run(bin, 'bunx', 'vite')]).toEqual([
      'bun install',
      'bun x vite',
    ]);
  });

  it('is fetched by two builds at once, and is there once', async () => {
    publishPnpm('10.28.1');
    const [first, second] = await Promise.all([provide('pnpm', '10.28.1'), provide('pnpm', '10.28.1')]);
    expect(second).toEqual(first);
    expect(await stored('pnpm')).toEqual(['10.28.1']);
  });

  it('is that of RUNNER_TOOLS_DIR first, which needs no registry', async () => {
    const toolsDir = join(root, 'own');
    const bin = join(toolsDir, 'pnpm/10.28.1/bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'pnpm'), '#!/bin/sh\necho own', { mode: 0o755 });
    const settings = { toolsDir, url: 'http://127.0.0.1:9/' };
    expect(await provide('pnpm', '10.28.1', settings)).toEqual({ version: '10.28.1', bin });
    await expect(provide('pnpm', '10.28.2', settings)).rejects.toMatchObject({
      step: 'configuration',
      message: expect.stringMatching(
        /^This build needs pnpm 10\.28\.2, as packageManager in package\.json says, and the runner cannot get it: http:\/\/127\.0\.0\.1:9\/ cannot be reached: .*\. Its operator can put it into RUNNER_TOOLS_DIR, as pnpm\/10\.28\.2\.$/,
      ),
    });
  });
});

describe('what a registry sends', () => {
  const answer = (path: RegExp, respond: (response: ServerResponse) => void): void => {
    registry.intercept = ({ url = '' }, response) => {
      if (!path.test(url)) return false;
      respond(response);
      return true;
    };
  };

  it('comes after a failure and a redirect, and from the registry although it names the public one', async () => {
    registry.tarballs = PUBLIC_REGISTRY;
    publishPnpm('10.28.1');
    let failures = 1;
    registry.intercept = ({ url = '' }, response) => {
      const isDocument = url === '/pnpm';
      if (isDocument && failures-- > 0) response.writeHead(503).end();
      else if (url === '/pnpm/-/10.28.1.tgz')
        response.writeHead(302, { location: '/pnpm%2f-%2f10.28.1.tgz' }).end();
      return response.writableEnded;
    };
    await provide('pnpm', '10.28.1', { attempts: 2 });
    expect(registry.requested).toEqual(['pnpm', 'pnpm', 'pnpm/-/10.28.1.tgz', 'pnpm/-/10.28.1.tgz']);
  });

  it.each([
    [
      'another file than was published',
      /its SHA-512 differs/,
      () => answer(/tgz/, (response) => void response.end('other')),
    ],
    [
      'only a SHA-1',
      /has no SHA-512 of pnpm 10\.28\.1 \("dist\.integrity"\), and SHA-1 alone proves nothing/,
      () => publishPnpm('10.28.1', { dist: { tarball: `${registry.url}pnpm/-/10.28.1.tgz`, shasum: 'ab' } }),
    ],
    [
      'another version',
      /has no pnpm 10\.28\.1\./,
      () => answer(/pnpm$/, (response) => void response.end('{"versions":{}}')),
    ],
    [
      'no package',
      /has no package pnpm\./,
      () => answer(/pnpm$/, (response) => void response.writeHead(404).end()),
    ],
    [
      'an error',
      /responds with 401\./,
      () => answer(/pnpm$/, (response) => void response.writeHead(401).end()),
    ],
    ['a page', /something else than JSON/, () => answer(/pnpm$/, (response) => void response.end('<html>'))],
    [
      'nothing for too long',
      /does not respond completely within 0\.5 seconds/,
      () => answer(/tgz/, (response) => void response.write('a')),
    ],
    [
      'more than a package has',
      /sends more than/,
      () => answer(/tgz/, (response) => void response.end(Buffer.alloc(100_001))),
    ],
    [
      'redirects without end',
      /redirects more than 5 times/,
      () => answer(/pnpm$/, (response) => void response.writeHead(302, { location: '/pnpm' }).end()),
    ],
    [
      'a redirect to another protocol',
      /redirects to an address that is not https/,
      () =>
        answer(/pnpm$/, (response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end()),
    ],
  ])('is refused if it is %s', async (_, message, prepare) => {
    publishPnpm('10.28.1');
    prepare();
    await expect(provide('pnpm', '10.28.1')).rejects.toThrow(message);
    expect(await stored('pnpm')).toEqual([]);
  });

  it.each<[string, TarEntry, RegExp]>([
    ['a path out of it', { path: 'package/../../../evil', content: 'x' }, /cannot be unpacked/],
    [
      'a symbolic link',
      { path: 'package/a', type: '2', target: '/etc/passwd' },
      /"a", which is neither a file/,
    ],
    [
      'a hard link',
      { path: 'package/a', type: '1', target: 'package/package.json' },
      /neither a file nor a folder/,
    ],
    ['a FIFO', { path: 'package/a', type: '6' }, /"a", which is neither a file nor a folder/],
  ])('is refused if the package has %s', async (_, entry, message) => {
    registry.publish('yarn', '1.22.22', [script('bin/yarn.js', ''), entry], { bin: { yarn: 'bin/yarn.js' } });
    await expect(provide('yarn', '1.22.22')).rejects.toThrow(message);
    expect(await stored('yarn')).toEqual([]);
    expect((await readdir(root)).toSorted()).toEqual(['tools']);
  });

  it('writes nothing through a link of the package', async () => {
    const target = join(root, 'target');
    await mkdir(target);
    const link = { path: 'package/a', type: '2', target };
    registry.publish('yarn', '1.22.22', [link, { path: 'package/a/evil', content: 'x' }]);
    await expect(provide('yarn', '1.22.22')).rejects.toThrow(/its package/);
    expect(await readdir(target)).toEqual([]);
  });

  it('is refused if the package has no such program', async () => {
    registry.publish('yarn', '1.22.22', [], { bin: { yarn: '../../../tool.js' } });
    await expect(provide('yarn', '1.22.22')).rejects.toThrow(/its package has no \.\.\/\.\.\/\.\.\/tool\.js/);
    registry.publish('yarn', '1.22.23', [native('yarn', '')], { bin: 'yarn' });
    await expect(provide('yarn', '1.22.23')).rejects.toThrow(/names none/);
  });

  it.each(['latest', '^10.0.0', '../../../etc', '10.28.1/../..', ''])(
    'is not asked for %j',
    async (version) => {
      await expect(provide('pnpm', version)).rejects.toThrow(
        `${DECLARED} names pnpm ${JSON.stringify(version)}, which is no exact version`,
      );
      expect(registry.requested).toEqual([]);
    },
  );
});

describe('the folder of tools', () => {
  const age = async (path: string, days: number): Promise<void> => {
    const then = new Date(Date.now() - days * 24 * 60 * 60_000);
    await utimes(join(root, 'tools', path), then, then);
  };

  it('loses what no build has used for 30 days, and what killed runners were making', async () => {
    for (const version of ['10.1.0', '10.2.0', '10.3.0']) publishPnpm(version);
    for (const version of ['10.1.0', '10.2.0']) await provide('pnpm', version);
    for (const name of ['.new-old', '.new-young']) await mkdir(join(root, 'tools/pnpm', name));
    await age('pnpm/10.1.0', 31);
    await age('pnpm/10.2.0', 31);
    await age('pnpm/.new-old', 1);
    const used = await provide('pnpm', '10.2.0');
    await provide('pnpm', '10.3.0');
    expect(await stored('pnpm')).toEqual(['.new-young', '10.2.0', '10.3.0']);
    expect(await run(used.bin, 'pnpm')).toBe('pnpm 10.2.0');
  });

  it('has nothing of a build that is canceled', async () => {
    publishPnpm('10.28.1');
    const canceling = new AbortController();
    registry.intercept = ({ url = '' }, response) => {
      if (!url.includes('tgz')) return false;
      response.write('a');
      canceling.abort(new Error('canceled'));
      return true;
    };
    await expect(provide('pnpm', '10.28.1', { signal: canceling.signal })).rejects.toThrow('canceled');
    expect(await stored('pnpm')).toEqual([]);
  });

  it('is filled again after a runner was killed in the middle', async () => {
    publishPnpm('10.28.1');
    await mkdir(join(root, 'tools/pnpm/.new-killed/package'), { recursive: true });
    const { bin } = await provide('pnpm', '10.28.1');
    await rm(join(root, 'tools/pnpm/.new-killed'), { recursive: true });
    expect(await run(bin, 'pnpm')).toBe('pnpm 10.28.1');
  });
});
