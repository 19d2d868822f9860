import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { machineCertificates } from '../../src/runner/steps/tools/machine-certificates.js';
import { hasGit } from '../support/git/git-server.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { createAndroidBench } from '../support/runners/android/android-bench.js';
import { type BenchResult, BuildBench } from '../support/runners/build-bench.js';
import { hasRegistry, REGISTRY } from '../support/runners/registry.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';
import { sha256 } from '../support/sha256.js';

/** SHA-256 by path. */
type Digests = Record<string, string>;
type Files = Readonly<Record<string, string | Buffer>>;

/** As `npm create vite` makes it, with a file that is no text. */
const VITE: Files = {
  'package.json': JSON.stringify({
    name: 'shop',
    private: true,
    version: '0.0.0',
    type: 'module',
    scripts: { build: 'vite build' },
    devDependencies: { vite: '7.1.12' },
    overrides: { rollup: '4.52.5' },
  }),
  '.gitignore': 'node_modules\ndist\n',
  'index.html':
    '<!doctype html><title>Shop</title><div id="app"></div><script type="module" src="/src/main.js"></script>',
  'src/main.js': `import './style.css';
import logo from './logo.png';
document.querySelector('#app').innerHTML = \`<img src="\${logo}" alt="Größe">\`;
import('./later.js').then(({ later }) => later());`,
  'src/later.js': `export const later = () => console.log('later');`,
  'src/style.css': '#app { color: #123456; }',
  'src/logo.png': Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 251)),
  'public/robots.txt': 'User-agent: *\r\n',
};

/** As `npm create @capacitor/app` makes it: the same with Capacitor, and a plugin. */
const CAPACITOR: Files = {
  ...VITE,
  'package.json': JSON.stringify({
    ...(JSON.parse(String(VITE['package.json'])) as object),
    dependencies: { '@capacitor/android': '8.5.2', '@capacitor/app': '8.0.0', '@capacitor/core': '8.5.2' },
    devDependencies: { '@capacitor/cli': '8.5.2', vite: '7.1.12' },
  }),
  'capacitor.config.json': JSON.stringify({ appId: 'com.acme.shop', appName: 'Shop', webDir: 'dist' }),
  'src/later.js': `import { App } from '@capacitor/app';
export const later = () => App.getInfo();`,
};

/** As `cordova create` and `cordova platform add android` make it. */
const CORDOVA: Files = {
  'package.json': JSON.stringify({
    name: 'com.acme.shop',
    private: true,
    version: '1.0.0',
    devDependencies: { cordova: '13.0.0', 'cordova-android': '15.1.0' },
    cordova: { platforms: ['android'] },
  }),
  'capawesome.config.json': JSON.stringify({ cloud: { apps: [{ appId: 'shop', webBuildCommand: 'true' }] } }),
  '.gitignore': 'node_modules/\n/platforms\n/plugins\n',
  'config.xml': `<?xml version='1.0' encoding='utf-8'?>
<widget id="com.acme.shop" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
    <name>Shop</name>
    <content src="index.html" />
    <allow-intent href="https://*/*" />
</widget>
`,
  'www/index.html':
    '<!doctype html><script src="cordova.js"></script><script src="js/index.js"></script>\r\n',
  'www/js/index.js': "document.addEventListener('deviceready', () => console.log('ready'));\n",
  'www/img/logo.png': VITE['src/logo.png'] ?? '',
};

/** Takes the place of the wrapper: Gradle itself is not here. */
const GRADLEW = `#!/bin/sh
out=app/build/outputs/apk/debug
mkdir -p $out && echo app > $out/app-debug.apk
echo '{"variantName":"debug","elements":[{"outputFile":"app-debug.apk"}]}' > $out/output-metadata.json
`;

/** A command outside of the runner, with nothing of the machine but programs. */
function runIn(folder: string, command: string): void {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const env = {
    ...machineCertificates(),
    PATH,
    HOME: dirname(folder),
    CI: 'true',
    npm_config_registry: REGISTRY,
  };
  execFileSync('sh', ['-c', command], { cwd: folder, env, stdio: 'pipe' });
}

/** A project that its author has installed once. @param added what else makes it, such as `npx cap add android` */
async function create(files: Files, added?: string): Promise<string> {
  const folder = join(await temporaryFolder(), 'project');
  await write(folder, files);
  runIn(folder, 'npm install --no-audit --no-fund');
  if (added !== undefined) runIn(folder, added);
  runIn(folder, 'git init --quiet');
  return folder;
}

async function write(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, { mode: path.endsWith('gradlew') ? 0o755 : 0o644 });
  }
}

/** What git would commit, as a zip that is uploaded, and unpacked in a folder of its own. */
async function commit(folder: string): Promise<{ readonly source: Buffer; readonly checkout: string }> {
  const checkout = join(await temporaryFolder(), 'checkout');
  await mkdir(checkout);
  runIn(folder, `git add --all && git archive --format=zip -o ../source.zip $(git write-tree)`);
  runIn(folder, `git archive $(git write-tree) | tar -x -C ${checkout}`);
  return { source: await readFile(join(folder, '../source.zip')), checkout };
}

async function digestsOf(folder: string, leftOut = /^$/): Promise<Digests> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const digests: Digests = {};
  for (const file of files) {
    const path = file.slice(folder.length + 1);
    if (!leftOut.test(path)) digests[path] = sha256(await readFile(file));
  }
  return digests;
}

async function digestsIn(zip: string): Promise<Digests> {
  const digests: Digests = {};
  const opened = await fromBufferPromise(await readFile(zip));
  for await (const entry of opened.eachEntry()) {
    digests[entry.fileName] = sha256(await buffer(await opened.openReadStreamPromise(entry)));
  }
  return digests;
}

(hasRegistry && hasGit ? describe : describe.skip)(
  'a starter project, byte for byte as outside of the runner',
  () => {
    let bench: BuildBench;
    beforeAll(async () => {
      bench = hasSandbox ? await createAndroidBench([new URL(REGISTRY).hostname]) : await BuildBench.create();
    });

    async function build(source: Buffer, more: object = {}): Promise<BenchResult> {
      const environment = { npm_config_registry: REGISTRY, JAVA_VERSION: '17' };
      return bench.build({ source, environment, ...more });
    }

    /** The web build. @returns the paths that were published */
    async function compareWeb(files: Files, command: string, webDir: string): Promise<string[]> {
      const { source, checkout } = await commit(await create(files));
      runIn(checkout, `npm install && ${command}`);
      const appType = webDir === 'www' ? 'cordova' : 'capacitor';
      const { error, log, files: built } = await build(source, { appType });
      expect([error, error === null ? '' : log]).toEqual([null, '']);
      const published = await digestsIn(built[0]!.path);
      expect(published).toEqual(await digestsOf(join(checkout, webDir)));
      return Object.keys(published);
    }

    it('of Vite', async () => {
      const paths = await compareWeb(VITE, 'npm run build', 'dist');
      expect(
        paths.filter((path) => /^assets\/(index-.*\.(js|css)|later-.*\.js|logo-.*\.png)$/.test(path)),
      ).toHaveLength(4);
      expect(paths).toEqual(expect.arrayContaining(['index.html', 'robots.txt']));
    });

    it('of Cordova', async () => {
      const paths = await compareWeb(CORDOVA, 'true', 'www');
      expect(paths).toEqual(['img/logo.png', 'index.html', 'js/index.js']);
    });

    it('of Cordova for Android, up to what needs Gradle', async () => {
      const { source, checkout } = await commit(await create(CORDOVA));
      runIn(checkout, 'npm install && npx --no -- cordova prepare android');
      const { error, log, folders } = await build(source, { platform: 'android', appType: 'cordova' });
      expect([log, error]).toEqual([
        expect.stringContaining('Preparing the Android project took '),
        expect.objectContaining({ message: expect.stringContaining('cordova compile android') }),
      ]);
      const prepared = await digestsOf(join(folders.repo, 'platforms/android'));
      expect(prepared).toEqual(await digestsOf(join(checkout, 'platforms/android')));
      expect(Object.keys(prepared)).toContain('app/src/main/assets/www/js/index.js');
    });

    it('of Capacitor, with the Android project that cap sync fills', async () => {
      const folder = await create(CAPACITOR, 'npm run build && npx --no -- cap add android');
      await write(folder, { 'android/gradlew': GRADLEW });
      const { source, checkout } = await commit(folder);
      expect(await readdir(join(checkout, 'android/app/src/main/assets')).catch(() => [])).toEqual([]);
      runIn(checkout, 'npm install && npm run build && npx --no -- cap sync android');
      const android = await build(source, { platform: 'android' });
      expect([android.error, android.error === null ? '' : android.log]).toEqual([null, '']);
      const outputs = /^app\/build\//;
      const synced = await digestsOf(join(android.folders.repo, 'android'), outputs);
      expect(synced).toEqual(await digestsOf(join(checkout, 'android'), outputs));
      expect(Object.keys(synced)).toEqual(
        expect.arrayContaining([
          'app/src/main/assets/capacitor.config.json',
          'app/src/main/assets/capacitor.plugins.json',
          'app/src/main/assets/public/index.html',
          'capacitor.settings.gradle',
        ]),
      );
      const web = await build(source);
      expect(web.error).toBeNull();
      expect(await digestsIn(web.files[0]!.path)).toEqual(await digestsOf(join(checkout, 'dist')));
    });
  },
);
