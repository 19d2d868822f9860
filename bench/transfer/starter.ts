import { execFile } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The public starter that is built: the one that `npm create vite` makes for React and TypeScript. */
const CREATE_VITE = 'create-vite@9.3.0';
const TEMPLATE = 'react-ts';

/** Keeps packages in a file of their own, which stays the same when only the app changes. */
const CONFIG_WITH_VENDOR_FILE = `import { defineConfig } from 'vite';
import react from '@vitejs/plugin-react';
export default defineConfig({
  plugins: [react()],
  build: { rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'vendor', test: /node_modules/ }] } } } },
});
`;

/** Files by their path inside a bundle. */
export type WebApp = ReadonlyMap<string, Buffer>;

/** A build of a web app, and the next one. */
export interface TwoBuilds {
  /** Such as `react 19.3.1, vite 8.3.8`. */
  readonly versions: string;
  readonly first: WebApp;
  /** One component was changed. */
  readonly second: WebApp;
}

/** Makes the starter in a folder; npm fetches its packages. */
export async function createStarter(folder: string): Promise<string> {
  const app = join(folder, 'app');
  const npx = ['--yes', CREATE_VITE, 'app', '--template', TEMPLATE, '--no-interactive'];
  await run('npx', npx, { cwd: folder });
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: app });
  return app;
}

/** Builds the starter twice, with a change of one component in between. */
export async function buildTwice(app: string, withVendorFile: boolean): Promise<TwoBuilds> {
  const config = join(app, 'vite.config.ts');
  const component = join(app, 'src/App.tsx');
  const original = { config: await readFile(config, 'utf8'), component: await readFile(component, 'utf8') };
  try {
    if (withVendorFile) await writeFile(config, CONFIG_WITH_VENDOR_FILE);
    const first = await build(app);
    const changed = original.component.replace('<h1>', '<h1 className="changed">Shop: ');
    if (changed === original.component) throw new Error('The starter has another component than expected.');
    await writeFile(component, changed);
    return { versions: await versionsOf(app), first, second: await build(app) };
  } finally {
    await writeFile(config, original.config);
    await writeFile(component, original.component);
  }
}

/** The files of a folder by path, sorted. */
export async function readFiles(folder: string): Promise<WebApp> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((e) => e.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = paths
    .sort()
    .map(async (path) => [path.slice(folder.length + 1), await readFile(path)] as const);
  return new Map(await Promise.all(files));
}

async function build(app: string): Promise<WebApp> {
  await run('npx', ['vite', 'build'], { cwd: app });
  const copy = join(app, `build-${process.hrtime.bigint()}`);
  await cp(join(app, 'dist'), copy, { recursive: true });
  return readFiles(copy);
}

async function versionsOf(app: string): Promise<string> {
  const names = ['react', 'vite'];
  const versions = names.map(async (name) => {
    const json = await readFile(join(app, 'node_modules', name, 'package.json'), 'utf8');
    return `${name} ${(JSON.parse(json) as { version: string }).version}`;
  });
  return (await Promise.all(versions)).join(', ');
}
