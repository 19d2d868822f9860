import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAndroidBench } from '../support/runners/android/android-bench.js';
import { zipProject } from '../support/runners/android/android-project.js';
import { type BenchBuild, type BenchResult, BuildBench, readZip } from '../support/runners/build-bench.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';

/** As the command of Capacitor reads a configuration: the program, with the variables of the build. */
const CAP = `#!/usr/bin/env node
if (process.argv.slice(2).join(' ') !== 'config --json') process.exit(2);
import(process.cwd() + '/capacitor.config.ts').then(
  ({ default: config }) => {
    console.warn('[warn] an old plugin');
    console.log(JSON.stringify({ app: { webDir: config.webDir ?? 'www' }, android: {}, ios: {} }));
  },
  (error) => {
    console.error('[error] Parsing capacitor.config.ts failed.\\n\\n' + error.stack);
    process.exit(1);
  },
);
`;

const OLD = { 'dist/index.html': 'old', 'dist/old.js': 'old' };

let bench: BuildBench;

type Files = Readonly<Record<string, string>>;
type More = Omit<BenchBuild, 'source'>;

/** A project whose web command is a script. */
function project(script: string, files: Files = {}, entry: object = {}): Record<string, string> {
  const install =
    'mkdir -p node_modules/.bin && cp cap node_modules/.bin/cap && chmod +x node_modules/.bin/cap';
  return {
    'package.json': JSON.stringify({ name: 'shop', private: true, scripts: { build: script } }),
    'capawesome.config.json': JSON.stringify({
      cloud: { apps: [{ appId: 'shop', dependencyInstallCommand: install, ...entry }] },
    }),
    cap: CAP,
    ...files,
  };
}

async function build(files: Files, more: More = {}, on = bench): Promise<BenchResult> {
  return on.build({ source: await zipProject(files), ...more });
}

/** @returns what is published, by path, and the log */
async function publish(files: Files, more: More = {}, on = bench): Promise<[Record<string, string>, string]> {
  const result = await build(files, more, on);
  expect([result.error, result.error === null ? '' : result.log]).toEqual([null, '']);
  return [await readZip(result.files[0]!.path), result.log];
}

/** A build that must fail. @returns the message and the log */
async function fail(files: Files, step: string, more: More = {}): Promise<[string, string]> {
  const { error, files: built, log } = await build(files, more);
  expect(built).toEqual([]);
  expect(error).toMatchObject({ step, message: expect.stringMatching(/^[^\n]+\.$/) });
  return [(error as Error).message, log];
}

const describeSandboxed = hasSandbox ? describe : describe.skip;
beforeAll(async () => {
  if (hasSandbox) bench = await createAndroidBench();
});

describeSandboxed('a configuration of Capacitor that is a program', () => {
  const script = 'mkdir out && echo new > out/index.html';
  const config = (text: string): Files => ({ ...OLD, 'capacitor.config.ts': text });
  const NEEDS_API = `if (!process.env.SHOP_API) throw new Error('SHOP_API is not set');
export default { webDir: 'out' as string };`;

  it.each<[string, string, RegExp]>([
    ['needs a variable', NEEDS_API, /Error: SHOP_API is not set/],
    ['imports what is missing', "import './missing.ts';\nexport default { webDir: 'out' };", /missing\.ts/],
    ['is no program', 'export default {', /SyntaxError/],
  ])('ends the build, with its output in the log, if it %s', async (_case, text, shown) => {
    const [message, log] = await fail(project(script, config(text)), 'configuration');
    expect(message).toBe(
      'capacitor.config.ts cannot be read: "cap config --json" failed with exit code 1, and the log shows its output.',
    );
    expect(log).toMatch(shown);
  });

  it('gets the variables of the build, and counts before a JSON file that was left', async () => {
    const files = project(script, { ...config(NEEDS_API), 'capacitor.config.json': '{"webDir":"dist"}' });
    const [published, log] = await publish(files, { environment: { SHOP_API: 'x' } });
    expect(published).toEqual({ 'index.html': 'new\n' });
    expect(log).toContain('Capacitor reads capacitor.config.ts, so capacitor.config.json does not count\n');
    expect(log).toContain('[warn] an old plugin\n');
    expect(log).not.toContain('{"app":');
  });

  it('ends the build where Capacitor is not installed, or prints something else', async () => {
    const files = project(script, config('export default {}'), { dependencyInstallCommand: 'true' });
    expect((await fail(files, 'configuration'))[0]).toMatch(/^capacitor\.config\.ts cannot be read: /);
    const other = project(script, { ...config('export default {}'), cap: '#!/bin/sh\necho done\n' });
    const [message, log] = await fail(other, 'configuration');
    expect(message).toContain('"cap config --json" printed no configuration');
    expect(log).toContain('done\n');
  });
});

it.each<[string, string, string]>([
  ['pnpm-lock.yaml', 'pnpm', 'exec cap config --json'],
  ['yarn.lock', 'yarn', 'run cap config --json'],
])('asks through the package manager of a project with %s', async (lock, program, args) => {
  const toolsDir = await temporaryFolder();
  await mkdir(toolsDir, { recursive: true });
  const path = join(toolsDir, program);
  await writeFile(path, `#!/bin/sh\necho "asked: $*"\nshift\nPATH="node_modules/.bin:$PATH" exec "$@"\n`);
  await chmod(path, 0o755);
  const files = project('mkdir out && echo new > out/index.html', {
    [lock]: '',
    'capacitor.config.ts': "export default { webDir: 'out' };",
  });
  const plain = await BuildBench.create();
  const [published, log] = await publish(files, { options: { toolsDir } }, plain);
  expect(published).toEqual({ 'index.html': 'new\n' });
  expect(log).toContain(`asked: ${args}\n`);
});

describeSandboxed('an entry of capawesome.config.json', () => {
  const script = 'mkdir -p dist && echo new > dist/index.html';

  it('of another app is reported, and so is what no build reads', async () => {
    const other = project(script, {}, { appId: 'other', dependencyInstallCommand: 'false' });
    const [, log] = await publish(other);
    expect(log).toContain(
      'capawesome.config.json has no entry of this app (shop), only of "other", so nothing of it counts\n',
    );
    const [, typed] = await publish(project(script, {}, { basedir: 'apps/shop', node: '20' }));
    expect(typed).toContain(
      'capawesome.config.json has "basedir" in the entry of this app, which does not count: did you mean "baseDir"?\n',
    );
    expect(typed).toContain(
      'capawesome.config.json has "node" in the entry of this app, which does not count: ',
    );
  });
});

describeSandboxed('a web command', () => {
  const JSON_CONFIG = { 'capacitor.config.json': '{"webDir":"dist"}' };

  it.each<[string, string]>([
    ['writes nothing', 'node -e 0'],
    ['writes elsewhere', 'mkdir out && echo new > out/index.html'],
    ['only reads', 'cat dist/index.html'],
    ['changes times', 'touch -d tomorrow other && mkdir dist/empty'],
  ])('that %s does not publish what was committed', async (_case, script) => {
    const [message] = await fail(project(script, { ...OLD, ...JSON_CONFIG }), 'output');
    expect(message).toMatch(
      /^The command "npm run build" wrote nothing to "dist", so what is there is older than this build: /,
    );
    // The same without a configuration.
    expect((await fail(project(script, OLD), 'output'))[0]).toMatch(
      /^The command "npm run build" wrote nothing to "dist"/,
    );
  });

  it.each<[string, string, object]>([
    ['true', 'exit 1', { webBuildCommand: 'true' }],
    ['a script that does nothing', 'true', {}],
    ['a script that only prints', "echo 'nothing to build'", {}],
  ])('that is %s publishes the folder as it is', async (_case, script, entry) => {
    for (const config of [JSON_CONFIG, {}]) {
      const [published] = await publish(project(script, { ...OLD, ...config }, entry));
      expect(published).toEqual({ 'index.html': 'old', 'old.js': 'old' });
    }
  });

  it.each<[string, string]>([
    ['gives its files an old time', 'echo new > dist/index.html && touch -d 2001-01-01 dist/index.html dist'],
    ['moves a folder of the source', 'rm -r dist && mv site dist'],
    ['links a folder of the source', 'rm -r dist && ln -s site dist'],
    ['copies with old times', 'rm -r dist && cp -a site dist'],
  ])('that %s has written the output', async (_case, script) => {
    const files = { ...OLD, ...JSON_CONFIG, 'site/index.html': 'new\n' };
    expect((await publish(project(script, files)))[0]['index.html']).toBe('new\n');
  });

  it('completes the www of Cordova, which is source, too', async () => {
    const files = project('echo built > www/bundle.js', { 'www/index.html': 'source' });
    const [published] = await publish(files, { appType: 'cordova' });
    expect(published).toEqual({ 'index.html': 'source', 'bundle.js': 'built\n' });
    const [message] = await fail(project('node -e 0', { 'www/index.html': 'source' }), 'output', {
      appType: 'cordova',
    });
    expect(message).toMatch(/^The command "npm run build" wrote nothing to "www"/);
  });

  it('chooses the only folder that it has written where nothing names one', async () => {
    const files = project('mkdir build && echo new > build/index.html', {
      ...OLD,
      'www/index.html': 'source',
    });
    const [published, log] = await publish(files);
    expect(published).toEqual({ 'index.html': 'new\n' });
    expect(log).toContain(
      'No configuration names the output folder: build is the only one with an index.html that this build has written\n',
    );
    const both = 'echo new > dist/index.html && echo new > www/index.html';
    const [message] = await fail(project(both, { ...OLD, 'www/index.html': 'source' }), 'output');
    expect(message).toMatch(/^Several folders have an index\.html: "dist", "www"\./);
  });

  it.each<[string, Files, string[]]>([
    ['ignored by name', { '.gitignore': 'node_modules\n/dist/\n!.vscode/settings.json\n' }, ['index.html']],
    ['ignored with a name for its content', { '.gitignore': 'dist/*\n' }, ['index.html']],
    ['committed', { '.gitignore': '# dist\nnode_modules\n' }, ['index.html', 'old.js']],
    ['ignored in part', { '.gitignore': 'dist/*\n!dist/old.js\n' }, ['index.html', 'old.js']],
    ['ignored elsewhere', { 'apps/.gitignore': 'dist\n' }, ['index.html', 'old.js']],
    ['ignored by a pattern', { '.gitignore': 'd?s[t]*/\n' }, ['index.html']],
    ['ignored by a file in it', { 'dist/.gitignore': '*\n' }, ['index.html']],
    ['ignored and taken back', { '.gitignore': 'dist\n!dist\n' }, ['index.html', 'old.js']],
    ['ignored by its kind of files', { '.gitignore': '*.js\n' }, ['index.html']],
  ])('of an upload begins with an output folder that is %s', async (_case, ignored, names) => {
    const [published] = await publish(project('echo new > dist/index.html', { ...OLD, ...ignored }));
    expect(Object.keys(published).toSorted()).toEqual(names);
  });
});
