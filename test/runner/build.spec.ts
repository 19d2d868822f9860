import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import { sha256 } from '../support/sha256.js';
import { archiveSource, BuildBench, readZip } from '../support/runners/build-bench.js';
import { PlainSandbox } from '../support/runners/plain-sandbox.js';

/** A project whose build is a shell script. */
function project(build: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    'package.json': { name: 'shop', version: '1.0.0', private: true, scripts: { build: 'sh build.sh' } },
    'build.sh': build,
    ...more,
  };
}

/** What a build needs to have made something. */
const MAKE_DIST = 'mkdir -p dist/assets && echo hello > dist/index.html && echo 1 > dist/assets/a.js';

async function zip(files: Readonly<Record<string, unknown>>): Promise<Buffer> {
  const file = new yazl.ZipFile();
  for (const [path, content] of Object.entries(files)) {
    file.addBuffer(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)), path);
  }
  file.end();
  return buffer(file.outputStream);
}

let bench: BuildBench;
beforeAll(async () => {
  bench = await BuildBench.create();
});

describe('a build of an archive', () => {
  it('installs, builds and packs the output, and the same output gives the same zip', async () => {
    const source = await zip(project(MAKE_DIST));
    const first = await bench.build({ source });
    expect(first.error).toBeNull();
    expect(first.files).toMatchObject([{ type: 'zip', fileName: 'www.zip' }]);
    const { path } = first.files[0]!;
    expect(path.startsWith(`${first.folders.artifacts}/`)).toBe(true);
    expect(await readZip(path)).toEqual({ 'index.html': 'hello\n', 'assets/a.js': '1\n' });
    expect(first.log).toMatch(/Installing dependencies: npm install\n/);
    expect(first.log).toMatch(/Building: npm run build\n/);
    expect(first.log).toMatch(/Building took \d+\.\d s\n/);
    expect(await readdir(first.folders.root)).not.toContain('archive.zip');
    const second = await bench.build({ source });
    expect(sha256(await readFile(second.files[0]!.path))).toBe(sha256(await readFile(path)));
  });

  it('gives the build its variables and secrets, and the Node.js that it asks for', async () => {
    const build = `${MAKE_DIST} && env > dist/env && node --version > dist/node`;
    const result = await bench.build({
      source: await zip(project(build)),
      environment: { API: 'variable', CI_BUILD_NUMBER: '7', NODE_VERSION: process.version },
      secrets: { API: 'secret', CI_BUILD_NUMBER: '8' },
    });
    expect(result.error).toBeNull();
    const files = await readZip(result.files[0]!.path);
    expect(files['node']).toBe(`${process.version}\n`);
    expect(files['env']).toMatch(/^API=secret$/m);
    expect(files['env']).toMatch(/^CI_BUILD_NUMBER=7$/m);
  });

  it('succeeds with variables that were stored before they were reserved, and does not use them', async () => {
    const result = await bench.build({
      source: await zip(project(`${MAKE_DIST} && env > dist/env`)),
      environment: { LD_LIBRARY_PATH: '/nowhere', API: 'variable' },
      secrets: { LD_PRELOAD: '/nowhere/missing.so' },
    });
    expect(result.error).toBeNull();
    const files = await readZip(result.files[0]!.path);
    expect(files['env']).toMatch(/^API=variable$/m);
    expect(files['env']).not.toMatch(/^LD_/m);
    expect(result.log).toContain('The variable LD_LIBRARY_PATH is reserved for the runner');
    expect(result.log).toContain('The variable LD_PRELOAD is reserved for the runner');
  });

  it('runs the commands of capawesome.config.json where it says', async () => {
    const files = project(MAKE_DIST);
    const source = await zip({
      ...Object.fromEntries(Object.entries(files).map(([path, content]) => [`apps/shop/${path}`, content])),
      'capawesome.config.json': {
        cloud: {
          apps: [
            {
              appId: 'shop',
              baseDir: 'apps/shop',
              dependencyInstallCommand: 'echo installed > installed',
              webBuildCommand: 'sh build.sh && cp installed dist',
            },
          ],
        },
      },
    });
    const result = await bench.build({ source });
    expect(result.error).toBeNull();
    expect(await readZip(result.files[0]!.path)).toHaveProperty('installed', 'installed\n');
  });

  it('takes the folder of Capacitor or Cordova', async () => {
    const build = 'for f in dist www out; do mkdir $f && echo $f > $f/index.html; done';
    const capacitor = await bench.build({
      source: await zip(project(build, { 'capacitor.config.json': { webDir: 'out' } })),
    });
    expect(await readZip(capacitor.files[0]!.path)).toEqual({ 'index.html': 'out\n' });
    const cordova = await bench.build({ source: await zip(project(build)), appType: 'cordova' });
    expect(await readZip(cordova.files[0]!.path)).toEqual({ 'index.html': 'www\n' });
  });

  it('asks Capacitor for a configuration that is a program', async () => {
    const cap = `#!/usr/bin/env node
console.error('noise');
console.log(JSON.stringify({ android: {}, app: { webDir: 'out' } }));`;
    const result = await bench.build({
      source: await zip(
        project('mkdir out && echo out > out/index.html', {
          'capacitor.config.ts': 'export default {}',
          'cli/package.json': { name: 'cap', version: '1.0.0', bin: { cap: 'cap.js' } },
          'cli/cap.js': cap,
          'package.json': {
            name: 'shop',
            scripts: { build: 'sh build.sh' },
            dependencies: { cap: 'file:./cli' },
          },
        }),
      ),
    });
    expect(result.error).toBeNull();
    expect(await readZip(result.files[0]!.path)).toEqual({ 'index.html': 'out\n' });
  });

  it('finds the output of Angular', async () => {
    const result = await bench.build({
      source: await zip(project('mkdir -p dist/shop/browser && echo ng > dist/shop/browser/index.html')),
    });
    expect(await readZip(result.files[0]!.path)).toEqual({ 'index.html': 'ng\n' });
  });

  it.each<[string, string, string, RegExp]>([
    ['fails', 'echo oops; exit 3', 'build', /^The command "npm run build" failed with exit code \d+\.$/],
    ['makes nothing', 'true', 'output', /^The build made no index\.html in dist, www, build: set "webDir"/],
    [
      'makes several folders',
      'for f in dist www; do mkdir $f && touch $f/index.html; done',
      'output',
      /^Several folders have an index\.html: "dist", "www"\./,
    ],
    ['makes its output a link to /etc', 'ln -s /etc dist && touch x', 'output', /leads out of the project/],
    [
      'makes its output a link to a folder of the runner',
      'ln -s ../artifacts dist && touch x',
      'output',
      /made no index\.html|leads out of the project/,
    ],
    [
      'links to a file outside',
      `${MAKE_DIST} && ln -s /etc/hostname dist/a`,
      'output',
      /"a" leads out of the output folder/,
    ],
    ['links to nothing', `${MAKE_DIST} && ln -s nowhere dist/a`, 'output', /"a" leads out/],
    ['links to a source file', `${MAKE_DIST} && ln -s ../package.json dist/a`, 'output', /"a" leads out/],
    ['links in a circle', `${MAKE_DIST} && ln -s b dist/a && ln -s a dist/b`, 'output', /leads out/],
    ['links to a folder', `${MAKE_DIST} && ln -s assets dist/a`, 'output', /leads to a folder/],
    [
      'makes 1,500 nested folders',
      `${MAKE_DIST} && cd dist && node -e 'for (let i = 0; i < 1500; i++) { fs.mkdirSync("deep"); process.chdir("deep"); }'`,
      'output',
      /^A file or a folder has a name or a path that is too long for the runner\.$/,
    ],
    ['makes a FIFO', `${MAKE_DIST} && mkfifo dist/pipe`, 'output', /"pipe", which is not an ordinary file/],
    ['makes its index.html a FIFO', 'mkdir dist && mkfifo dist/index.html', 'output', /made no index\.html/],
    [
      'makes names that no device can use',
      `${MAKE_DIST} && touch 'dist/a\\b'`,
      'output',
      /name no device can use/,
    ],
    [
      'makes too many files',
      `${MAKE_DIST} && cd dist && seq 20001 | xargs touch`,
      'output',
      /more than 20000 files/,
    ],
    ['makes too much', `${MAKE_DIST} && truncate -s 2G dist/huge`, 'output', /more than 1 GiB/],
    [
      'replaces its configuration by a FIFO',
      `${MAKE_DIST} && mkfifo capacitor.config.json`,
      'output',
      /not an ordinary file/,
    ],
    [
      'replaces its configuration by a link',
      `${MAKE_DIST} && ln -s /etc/passwd capacitor.config.json`,
      'output',
      /leads out of the project/,
    ],
    [
      'names a folder outside',
      `${MAKE_DIST} && echo '{"webDir":"../../../../etc"}' > capacitor.config.json`,
      'output',
      /leads out/,
    ],
  ])('fails with a sentence if it %s', async (_case, build, step, message) => {
    const result = await bench.build({
      source: await zip({
        ...project(build),
        'capawesome.config.json': { cloud: { apps: [{ appId: 'shop', dependencyInstallCommand: 'true' }] } },
      }),
    });
    expect(result.error).toMatchObject({ step, message: expect.stringMatching(message) });
    expect((result.error as Error).message).toMatch(/^[^\n]*\.$/);
    expect(result.files).toEqual([]);
  });

  it('follows links to files of the output', async () => {
    const result = await bench.build({
      source: await zip(project(`${MAKE_DIST} && ln -s assets/a.js dist/b.js`)),
    });
    expect(await readZip(result.files[0]!.path)).toMatchObject({ 'b.js': '1\n' });
  });

  it('refuses a zip that is not the announced one, and one that is none', async () => {
    const bytes = await zip(project(MAKE_DIST));
    const announced = { ...archiveSource(bytes), sha256: 'a'.repeat(64) };
    const other = await bench.build({ source: announced, archive: bytes });
    expect(other.error).toMatchObject({ step: 'source', message: expect.stringContaining('SHA-256') });
    const longer = await bench.build({
      source: archiveSource(bytes),
      archive: Buffer.concat([bytes, bytes]),
    });
    expect(longer.error).toMatchObject({ step: 'source', message: expect.stringContaining('SHA-256') });
    const none = await bench.build({ source: Buffer.from('no zip') });
    expect(none.error).toMatchObject({ step: 'source', message: expect.stringMatching(/cannot be used/) });
  });

  it('stops while it unpacks and while it builds', async () => {
    const stop = new AbortController();
    const building = bench.build({ source: await zip(project('sleep 600')), signal: stop.signal });
    setTimeout(() => stop.abort(new Error('The job was canceled.')), 1500);
    const { error, folders } = await building;
    expect(error).toMatchObject({ message: 'The job was canceled.' });
    expect(existsSync(join(folders.root, 'archive.zip'))).toBe(false);
  });

  it('builds with the Node.js that the project names, and with no other major', async () => {
    const files = { ...project(MAKE_DIST), '.nvmrc': process.version };
    const { error, log } = await bench.build({ source: await zip(files) });
    expect(error).toBeNull();
    expect(log).toContain(`Using Node.js ${process.version.slice(1)}, as .nvmrc says\n`);
    const source = await zip({ ...files, '.nvmrc': '10' });
    for (const [environment, declared] of [
      [{}, '.nvmrc names ("10")'],
      [{ NODE_VERSION: '12' }, 'NODE_VERSION names ("12")'],
    ] as const) {
      const refused = await bench.build({ source, environment });
      expect(refused.error).toMatchObject({
        step: 'configuration',
        message: expect.stringContaining(`This runner does not have the Node.js that ${declared}: it has `),
      });
      expect((refused.sandbox as PlainSandbox).commands).toEqual([]);
    }
  });
});
