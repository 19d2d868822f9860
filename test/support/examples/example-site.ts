import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeEntityList, writeMigrationList } from '../../../scripts/write-lists.js';
import { type Change, changes } from '../../examples/notes/changes.js';
import { cloneDatabase, dropDatabase } from '../../setup/databases.js';
import { ENCRYPTION_KEY, type ServerProcess, startServer } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import type { OpenApiPaths } from '../http/openapi-document.js';

const root = join(import.meta.dirname, '../../..');
const example = join(root, 'test/examples/notes');
const run = promisify(execFile);

/** A server with the resource of CONTRIBUTING.md. */
export interface ExampleSite {
  readonly server: ServerProcess;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Text of its OpenAPI document. */
  readonly document: string;
  readonly paths: OpenApiPaths;
  dispose(): Promise<void>;
}

/** Adds the example to a copy of the source, compiles it, migrates a database of its own and starts the server. */
export async function startExampleSite(): Promise<ExampleSite> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-example-'));
  const files = [
    'package.json',
    'nest-cli.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'scripts',
    'src',
    'migrations',
  ];
  for (const file of files) await cp(join(root, file), join(folder, file), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const part of ['src', 'migrations'])
    await cp(join(example, part), join(folder, part), { recursive: true });
  for (const change of changes) await apply(folder, change);
  await writeEntityList(folder);
  await writeMigrationList(folder);
  const node = (env: Readonly<Record<string, string>>, ...args: string[]): Promise<unknown> =>
    run(process.execPath, args, { cwd: folder, env: { PATH: process.env['PATH'], ...env } });
  await node({}, 'scripts/build.ts');
  await node({}, 'dist/src/main.js', 'openapi');
  const document = await readFile(join(folder, 'openapi.json'), 'utf8');
  const databaseUrl = await cloneDatabase(testEnvironment().templateUrl);
  await node({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY }, 'dist/src/main.js', 'migrate');
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const program = join(folder, 'dist/src/main.js');
  const server = await startServer({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }, { program });
  return {
    server,
    databaseUrl,
    dataDir,
    document,
    paths: (JSON.parse(document) as { paths: OpenApiPaths }).paths,
    dispose: async () => {
      await server.stop();
      await dropDatabase(databaseUrl);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function apply(folder: string, { file, before, lines }: Change): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  const at = text.lastIndexOf(before);
  if (at < 0) throw new Error(`${file} lacks "${before}".`);
  await writeFile(path, text.slice(0, at) + lines + text.slice(at));
}
