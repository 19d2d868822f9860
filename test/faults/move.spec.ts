import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtDatabase } from '../setup/built.js';
import { type ServerProcess, startServer } from '../setup/server.js';

/* "Moving an embedded installation" of docs/deployment.md, with the lines that the page prints. */

const page = await readFile(join(import.meta.dirname, '../../docs/deployment.md'), 'utf8');
const [pack = '', unpack = ''] =
  page.match(/^tar .*slipway\.tar\.gz.*\.slipway$|^tar -xzf slipway\.tar\.gz$/gm) ?? [];

let oldFolder: string;
let newFolder: string;
let server: ServerProcess | undefined;

beforeEach(async () => {
  // Root only, as a home is: then the database of root is outside, and a link leads to it.
  oldFolder = await mkdtemp(join(tmpdir(), 'slipway-old-'));
  newFolder = await mkdtemp(join(tmpdir(), 'slipway-new-'));
  await chmod(newFolder, 0o755);
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  const { removeEmbeddedPostgresData } = await builtDatabase();
  for (const folder of [oldFolder, newFolder]) {
    await removeEmbeddedPostgresData(join(folder, '.slipway'));
    await rm(folder, { recursive: true, force: true });
  }
});

/** Starts Slipway in a folder. @returns sends a request with the token of the installation */
async function start(folder: string): Promise<(path: string, body?: object) => Promise<unknown>> {
  const dataDir = join(folder, '.slipway');
  server = await startServer({ DATA_DIR: dataDir });
  const { origin } = server;
  const token = (await readFile(join(dataDir, 'token'), 'utf8')).trim();
  return async (path, body) => {
    const response = await fetch(`${origin}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
    return response.json();
  };
}

async function stop(): Promise<void> {
  await server?.stop();
  server = undefined;
}

it('has its token, its apps and its secrets in another folder', async () => {
  const call = await start(oldFolder);
  const { id } = (await call('/v1/apps', { name: 'Moved' })) as { id: string };
  await stop();
  execFileSync('sh', ['-c', pack], { cwd: oldFolder });
  await rename(join(oldFolder, 'slipway.tar.gz'), join(newFolder, 'slipway.tar.gz'));
  execFileSync('sh', ['-c', unpack], { cwd: newFolder });

  const callNew = await start(newFolder);
  expect(await callNew(`/v1/apps/${id}`)).toMatchObject({ id, name: 'Moved' });
  expect(server?.log.join('\n')).not.toContain('Creating a PostgreSQL');
});

const itAsRoot = process.getuid?.() === 0 ? it : it.skip;

itAsRoot('does not begin with an empty database when only the link to it was copied', async () => {
  await start(oldFolder);
  await stop();
  const [from, to] = [oldFolder, newFolder].map((folder) => join(folder, '.slipway')) as [string, string];
  await cp(from, to, { recursive: true, filter: (path) => path !== join(from, 'postgres') });
  await symlink('/var/lib/slipway/elsewhere/postgres', join(to, 'postgres'));
  await expect(startServer({ DATA_DIR: to })).rejects.toThrow(/is missing: .* Copy it from the machine/);
  expect(existsSync('/var/lib/slipway/elsewhere')).toBe(false);
  await rm(join(to, 'postgres'));
});
