import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ProjectFolder } from '../project/project-folder.js';
import { chooseManager } from './choose-manager.js';
import type { PackageManager } from './managers.js';

type Files = Readonly<Record<string, unknown>>;

const NPM_LOCK = { lockfileVersion: 3 };
const PNPM_LOCK = "lockfileVersion: '9.0'\n";
const BERRY_LOCK = '# This file is generated.\n\n__metadata:\n  version: 8\n  cacheKey: 10c0\n';
const YARN_LOCK = '# yarn lockfile v1\n';

let root: string;
let notes: string[];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-manager-'));
  notes = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function choose(
  files: Files,
  baseDir = '',
  installCommand: string | null = null,
): Promise<PackageManager> {
  await mkdir(join(root, baseDir), { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const entry = { baseDir, installCommand, webBuildCommand: null };
  return chooseManager(await ProjectFolder.at(root), entry, (note) => void notes.push(note));
}

/** Name and version, where it installs, its lock file, and what names it. */
async function chosen(files: Files, baseDir = '', installCommand: string | null = null): Promise<string> {
  const { name, version, root: dir, lock, because } = await choose(files, baseDir, installCommand);
  const text = `${name} ${version?.replace(/(?<=^\d+)\..*/, '') ?? '-'} in "${dir}", ${lock ?? 'no lock'}`;
  return because === lock ? text : `${text}: ${because}`;
}

const pnpm = (version: string): Files => ({ 'package.json': { packageManager: `pnpm@${version}` } });
const engines = (packageManager: unknown): Files => ({ 'package.json': { devEngines: { packageManager } } });

describe('of a project with one package.json', () => {
  it.each<[string, Files, string]>([
    ['nothing', { 'package.json': {} }, 'npm - in "", no lock'],
    ['nothing at all', {}, 'npm - in "", no lock'],
    ['a lock file of npm', { 'package-lock.json': NPM_LOCK }, 'npm - in "", package-lock.json'],
    [
      'two of npm',
      { 'package-lock.json': {}, 'npm-shrinkwrap.json': {} },
      'npm - in "", npm-shrinkwrap.json',
    ],
    ['one of pnpm', { 'pnpm-lock.yaml': PNPM_LOCK }, 'pnpm 10 in "", pnpm-lock.yaml'],
    ['one of pnpm 8', { 'pnpm-lock.yaml': "lockfileVersion: '6.0'" }, 'pnpm 8 in "", pnpm-lock.yaml'],
    ['one of pnpm 7', { 'pnpm-lock.yaml': 'lockfileVersion: 5.4' }, 'pnpm 7 in "", pnpm-lock.yaml'],
    ['one of Yarn 1', { 'yarn.lock': YARN_LOCK }, 'yarn 1 in "", yarn.lock'],
    ['an empty one of Yarn', { 'yarn.lock': '' }, 'yarn 1 in "", yarn.lock'],
    ['one of Yarn 3', { 'yarn.lock': BERRY_LOCK.replace('8', '6') }, 'yarn 3 in "", yarn.lock'],
    ['one of Yarn 4', { 'yarn.lock': BERRY_LOCK }, 'yarn 4 in "", yarn.lock'],
    ['one of bun', { 'bun.lock': '{}' }, 'bun 1 in "", bun.lock'],
    ['a binary one of bun', { 'bun.lockb': '#!/usr/bin/env bun' }, 'bun 1 in "", bun.lockb'],
    [
      'packageManager',
      { ...pnpm('9.1.0'), 'pnpm-lock.yaml': PNPM_LOCK },
      'pnpm 9 in "", pnpm-lock.yaml: "packageManager" of package.json',
    ],
    [
      'packageManager with a hash',
      pnpm(`9.1.0+sha512.${'ab'.repeat(64)}`),
      'pnpm 9 in "", no lock: "packageManager" of package.json',
    ],
    [
      'packageManager and two lock files',
      { ...pnpm('9.1.0'), 'pnpm-lock.yaml': PNPM_LOCK, 'yarn.lock': YARN_LOCK },
      'pnpm 9 in "", pnpm-lock.yaml: "packageManager" of package.json',
    ],
    [
      'npm of a version',
      { 'package.json': { packageManager: 'npm@10.9.2' }, 'package-lock.json': NPM_LOCK },
      'npm 10 in "", package-lock.json: "packageManager" of package.json',
    ],
    [
      'devEngines with a version',
      engines({ name: 'yarn', version: '4.5.0' }),
      'yarn 4 in "", no lock: "devEngines.packageManager" of package.json',
    ],
    [
      'devEngines with a range',
      engines([{ name: 'vlt' }, { name: 'pnpm', version: '^9.2.0' }]),
      'pnpm 9 in "", no lock: "devEngines.packageManager" of package.json',
    ],
    [
      'devEngines with a range that only warns',
      { ...engines({ name: 'pnpm', version: '>=99', onFail: 'warn' }), 'pnpm-lock.yaml': PNPM_LOCK },
      'pnpm 10 in "", pnpm-lock.yaml: "devEngines.packageManager" of package.json',
    ],
    [
      'both',
      { 'package.json': { packageManager: 'bun@1.2.0', devEngines: { packageManager: { name: 'npm' } } } },
      'bun 1 in "", no lock: "packageManager" of package.json',
    ],
  ])('chooses by %s', async (_case, files, expected) => {
    expect(await chosen(files)).toBe(expected);
  });

  it.each<[string, Files, string]>([
    [
      'two lock files',
      { 'package-lock.json': NPM_LOCK, 'pnpm-lock.yaml': PNPM_LOCK },
      'There are package-lock.json and pnpm-lock.yaml, and nothing says which of them counts: ',
    ],
    ['a range', pnpm('^9'), '"packageManager" of package.json is "pnpm@^9": it must be '],
    [
      'no version',
      { 'package.json': { packageManager: 'pnpm' } },
      '"packageManager" of package.json is "pnpm": ',
    ],
    ['a number', { 'package.json': { packageManager: 9 } }, '"packageManager" of package.json is 9: '],
    [
      'another manager',
      { 'package.json': { packageManager: 'vlt@1.0.0' } },
      '"packageManager" of package.json is ',
    ],
    ['a path', pnpm('1.0.0/../..'), '"packageManager" of package.json is '],
    [
      'devEngines of another one',
      engines({ name: 'vlt' }),
      '"devEngines.packageManager" of package.json is ',
    ],
    [
      'devEngines with a range of nothing',
      engines({ name: 'pnpm', version: '>=99' }),
      '"devEngines.packageManager" of package.json asks for pnpm ">=99"',
    ],
    [
      'a lock file of pnpm 3',
      { 'pnpm-lock.yaml': 'lockfileVersion: 5.1' },
      'pnpm-lock.yaml is too old to say ',
    ],
    [
      'a Yarn that is not there',
      { 'yarn.lock': BERRY_LOCK, '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn-4.5.0.cjs' },
      '"yarnPath" of .yarnrc.yml names .yarn/releases/yarn-4.5.0.cjs, which is not in the project',
    ],
    [
      'a Yarn out of the project',
      { 'yarn.lock': BERRY_LOCK, '.yarnrc.yml': 'yarnPath: ../yarn.cjs' },
      'The path "../yarn.cjs" leads out of the project.',
    ],
  ])('names the file with %s', async (_case, files, message) => {
    const error = await choose(files).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ step: 'configuration', message: expect.stringContaining(message) });
    // With a command of its own, a project need not be clear.
    expect(await chosen(files, '', 'make deps')).toMatch(/^npm - in "", /);
    expect(notes.at(-1)).toMatch(/"dependencyInstallCommand" of capawesome\.config\.json decides\.$/);
  });

  it.each([
    [`pnpm@9.1.0+sha512.${'ab'.repeat(64)}`, 'ab'.repeat(64)],
    [`yarn@1.22.22+sha512.${'ab'.repeat(64)}`, 'ab'.repeat(64)],
    [`yarn@4.5.0+sha512.${'ab'.repeat(64)}`, null],
    [`pnpm@9.1.0+sha1.${'ab'.repeat(20)}`, null],
    ['pnpm@9.1.0', null],
  ])('knows the hash of %s if it can be compared', async (packageManager, sha512) => {
    expect((await choose({ 'package.json': { packageManager } })).sha512).toBe(sha512);
  });

  it('says which lock files do not count', async () => {
    await choose({ ...pnpm('9.1.0'), 'package-lock.json': NPM_LOCK });
    expect(notes).toEqual([
      'package-lock.json does not count, because "packageManager" of package.json names pnpm',
    ]);
  });

  it('takes the lock file of the program that a command calls', async () => {
    const files = { 'package-lock.json': NPM_LOCK, 'yarn.lock': YARN_LOCK };
    expect(await chosen(files, '', 'cd . && yarn install')).toBe('yarn 1 in "", yarn.lock');
    expect(notes).toEqual([]);
  });

  it.each([
    ['.yarnrc.yml', 'nodeLinker: pnp\nyarnPath: ".yarn/releases/yarn-4.5.0.cjs" # own\n', BERRY_LOCK],
    ['.yarnrc', 'lastUpdateCheck 1\nyarn-path ".yarn/releases/yarn-4.5.0.cjs"\n', YARN_LOCK],
  ])('takes the Yarn that %s names', async (file, text, lock) => {
    const program = '.yarn/releases/yarn-4.5.0.cjs';
    const files = { 'yarn.lock': lock, [program]: '', [file]: text };
    expect(await choose(files)).toMatchObject({ name: 'yarn', version: '4.5.0', program, isDeclared: true });
    await choose({ ...files, 'package.json': { packageManager: 'yarn@4.9.1' } });
    expect(notes.join()).toContain(`names ${program}, which wins over "packageManager" of package.json`);
  });

  it('follows no link out of the project', async () => {
    await symlink('/etc/passwd', join(root, 'yarn.lock'));
    await expect(choose({})).rejects.toThrow('The path "yarn.lock" leads out of the project.');
  });
});

describe('of a workspace', () => {
  const app = 'apps/shop';
  const manifest = { [`${app}/package.json`]: {} };
  const npm = (workspaces: unknown): Files => ({
    ...manifest,
    'package.json': { workspaces },
    'package-lock.json': NPM_LOCK,
  });

  it.each<[string, Files, string]>([
    ['of npm', npm(['apps/*']), 'npm - in "", package-lock.json'],
    ['of npm with objects', npm({ packages: ['./apps/shop/'] }), 'npm - in "", package-lock.json'],
    ['of npm with folders of any depth', npm(['**']), 'npm - in "", package-lock.json'],
    ['of npm with braces', npm(['{apps,packages}/*']), 'npm - in "", package-lock.json'],
    ['of npm without it', npm(['packages/*']), 'npm - in "apps/shop", no lock'],
    ['of npm that excludes it', npm(['apps/*', '!apps/shop']), 'npm - in "apps/shop", no lock'],
    ['of npm with no list', npm('apps/*'), 'npm - in "apps/shop", no lock'],
    [
      'of pnpm',
      { ...manifest, 'pnpm-workspace.yaml': 'packages:\n  - apps/*\n', 'pnpm-lock.yaml': PNPM_LOCK },
      'pnpm 10 in "", pnpm-lock.yaml',
    ],
    [
      'of pnpm with packageManager',
      {
        ...manifest,
        ...pnpm('10.1.0'),
        'pnpm-workspace.yaml': 'packages: [apps/**]',
        'pnpm-lock.yaml': PNPM_LOCK,
      },
      'pnpm 10 in "", pnpm-lock.yaml: "packageManager" of package.json',
    ],
    [
      'of Yarn',
      { ...manifest, 'package.json': { workspaces: ['apps/*'] }, 'yarn.lock': BERRY_LOCK },
      'yarn 4 in "", yarn.lock',
    ],
    [
      'without a lock file',
      { ...manifest, 'package.json': { workspaces: ['apps/*'] } },
      'npm - in "", no lock',
    ],
    [
      'with a lock file of the app',
      { ...npm(['packages/*']), [`${app}/yarn.lock`]: YARN_LOCK },
      'yarn 1 in "apps/shop", apps/shop/yarn.lock',
    ],
    [
      'that is none of the app, which has a lock file',
      { ...manifest, ...pnpm('9.1.0'), [`${app}/package-lock.json`]: NPM_LOCK },
      'npm - in "apps/shop", apps/shop/package-lock.json',
    ],
    [
      'that is none of the app, which has a lock file of the same package manager',
      { ...manifest, ...pnpm('9.1.0'), [`${app}/pnpm-lock.yaml`]: PNPM_LOCK },
      'pnpm 9 in "apps/shop", apps/shop/pnpm-lock.yaml: "packageManager" of package.json',
    ],
    [
      'that declares a package manager, and is none of the app',
      { ...manifest, ...pnpm('9.1.0') },
      'pnpm 9 in "apps/shop", no lock: "packageManager" of package.json',
    ],
    [
      'of Nx, for an app without package.json',
      { 'package.json': {}, 'nx.json': {}, 'package-lock.json': NPM_LOCK, [`${app}/project.json`]: {} },
      'npm - in "", package-lock.json',
    ],
    [
      'in a folder of the repository',
      {
        'apps/package.json': { workspaces: ['shop'], packageManager: 'npm@10.1.0' },
        ...manifest,
        'apps/package-lock.json': NPM_LOCK,
      },
      'npm 10 in "apps", apps/package-lock.json: "packageManager" of apps/package.json',
    ],
  ])('%s finds the root', async (_case, files, expected) => {
    expect(await chosen(files, app)).toBe(expected);
  });

  it('names a file that is no YAML', async () => {
    const files = { ...manifest, 'pnpm-workspace.yaml': 'packages: [', 'pnpm-lock.yaml': PNPM_LOCK };
    await expect(choose(files, app)).rejects.toThrow('pnpm-workspace.yaml is not valid YAML.');
  });

  it('does not match patterns that take long', async () => {
    const slow = `${'*a'.repeat(90)}/**/**/**`;
    expect(await chosen(npm(['packages/*', `!${slow}`]), app)).toContain('in "apps/shop"');
    expect(await chosen(npm([slow]), app)).toContain('in ""');
  });
});
