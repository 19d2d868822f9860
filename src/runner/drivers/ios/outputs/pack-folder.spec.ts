import { execFileSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFolders } from './collect-outputs.js';

let root: string;
let app: string;
const lines: string[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-pack-'));
  app = join(root, 'App.app');
  await mkdir(join(app, 'Frameworks/A.framework'), { recursive: true });
  await mkdir(join(root, 'artifacts'));
});

afterEach(() => rm(root, { recursive: true }));

async function pack(fileName = 'App.app.zip'): Promise<string> {
  const at = (name: string): string => join(root, name);
  const folders = {
    root,
    repo: at('repo'),
    home: at('home'),
    cache: at('cache'),
    artifacts: at('artifacts'),
  };
  const run = {
    folders,
    log: { write: () => undefined, line: (text: string) => void lines.push(text) },
    signal: new AbortController().signal,
  };
  return (await packFolders(run, 'app', [{ path: app, name: 'App.app' }], fileName)).path;
}

it('keeps programs, links within the folder and empty folders, with the folder at the root', async () => {
  await writeFile(join(app, 'App'), 'program');
  await chmod(join(app, 'App'), 0o755);
  await writeFile(join(app, 'Info.plist'), 'plist', { mode: 0o600 });
  await writeFile(join(app, 'Frameworks/A.framework/A'), 'library');
  await symlink('A.framework', join(app, 'Frameworks/Current'));
  await symlink('../Info.plist', join(app, 'Frameworks/Info'));
  await mkdir(join(app, 'Empty'));
  const target = join(root, 'unpacked');
  execFileSync('unzip', ['-q', await pack(), '-d', target]);
  const at = (path: string): string => join(target, 'App.app', path);
  expect((await lstat(at('App'))).mode & 0o777).toBe(0o755);
  expect((await lstat(at('Info.plist'))).mode & 0o777).toBe(0o644);
  expect(await readlink(at('Frameworks/Current'))).toBe('A.framework');
  expect(await readFile(at('Frameworks/Current/A'), 'utf8')).toBe('library');
  expect(await readFile(at('Frameworks/Info'), 'utf8')).toBe('plist');
  expect((await lstat(at('Empty'))).isDirectory()).toBe(true);
});

it('makes the same zip of the same files', async () => {
  await writeFile(join(app, 'b'), 'b');
  await writeFile(join(app, 'a'), 'a');
  const first = await readFile(await pack());
  await rm(join(app, 'b'));
  await writeFile(join(app, 'b'), 'b');
  await utimes(join(app, 'a'), new Date(0), new Date(0));
  expect(await readFile(await pack('again.zip'))).toEqual(first);
});

it.each([
  ['an absolute path', '/etc/passwd'],
  ['a folder above', '../../secret'],
  ['the folder itself and beyond', 'Frameworks/../../secret'],
  ['nothing', 'gone'],
  ['a special file', '/dev/zero'],
])('refuses a link to %s', async (_name, linkTo) => {
  await writeFile(join(root, 'secret'), 'secret');
  await symlink(linkTo, join(app, 'link'));
  await expect(pack()).rejects.toThrow('The symbolic link "link" leads out of the files of the build.');
});

it('refuses a link that another link leads out', async () => {
  await mkdir(join(root, 'outside/deep'), { recursive: true });
  await writeFile(join(root, 'outside/secret'), 'secret');
  await symlink('Frameworks', join(app, 'inner'));
  await symlink(join(root, 'outside/deep'), join(app, 'Frameworks/deep'));
  await symlink('inner/deep/../secret', join(app, 'link'));
  await expect(pack()).rejects.toThrow('leads out of the files of the build');
});

it('refuses special files and names that no device can use', async () => {
  execFileSync('mkfifo', [join(app, 'pipe')]);
  await expect(pack()).rejects.toThrow('"pipe", which is not an ordinary file');
  await rm(join(app, 'pipe'));
  await mkdir(join(app, 'empty\\folder'));
  await expect(pack()).rejects.toThrow('whose name no device can use');
  await rm(join(app, 'empty\\folder'), { recursive: true });
  await writeFile(join(app, 'a\nb'), '');
  await expect(pack()).rejects.toThrow('whose name no device can use');
});
