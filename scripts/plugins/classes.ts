import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, lock, stubsFolder } from './lock.ts';
import { jarPaths, javaFolderOf, packageFolder } from './packages.ts';
import { debianJars } from './requirements.ts';

/** What is taken from Capacitor as it is. Its other classes need Android, and have stubs. */
const CAPACITOR = [
  'JSArray',
  'JSObject',
  'Logger',
  'PluginCall',
  'PluginConfig',
  'PluginMethod',
  'PluginResult',
  'WebViewListener',
  'annotation/CapacitorPlugin',
  'annotation/Permission',
  'plugin/WebView',
  'util/JSONUtils',
];

/**
 * Compiles all Java of the plugin in each version, with the classes of Capacitor that do not need Android, and the stubs for
 * the others. What was compiled before is kept, as long as no source has changed.
 *
 * @returns the class path of each version
 */
export function compilePlugins(): Record<string, string> {
  const jars = [...debianJars, ...jarPaths()];
  return Object.fromEntries(
    Object.entries(lock.plugins).map(([version, capacitor]) => [
      version,
      [compile(version, capacitor, jars), ...jars].join(':'),
    ]),
  );
}

function compile(version: string, capacitor: string, jars: readonly string[]): string {
  const javaOf = (name: string): string => join(packageFolder(name), javaFolderOf(name));
  const capacitorFolder = join(javaOf(`@capacitor/android@${capacitor}`), 'com/getcapacitor');
  const sources = [
    ...javaFiles(javaOf(`@capawesome/capacitor-live-update@${version}`)),
    ...CAPACITOR.map((name) => join(capacitorFolder, `${name}.java`)),
    ...javaFiles(stubsFolder),
  ];
  const folder = join(cacheFolder, 'classes', `${version}-${hashOf([...sources, ...jars])}`);
  if (existsSync(folder)) return folder;

  const output = `${folder}.new`;
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const options = ['-nowarn', '-proc:none', '-encoding', 'UTF-8', '-d', output, '-cp', jars.join(':')];
  const { status, stderr } = spawnSync('javac', [...options, ...sources], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The plugin ${version} cannot be compiled:\n${stderr}`);
  renameSync(output, folder);
  return folder;
}

function javaFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.java'))
    .map((path) => join(folder, path));
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
