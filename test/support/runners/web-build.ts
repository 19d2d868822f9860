import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import yazl from 'yazl';

/** The payload of a job, as far as a web build needs it. */
export interface WebJob {
  readonly app: { readonly id: string };
  readonly build: { readonly gitCommitSha: string | null };
  readonly source:
    | {
        readonly type: 'git';
        readonly url: string;
        readonly commitSha: string;
        readonly credential: { readonly authorization: string } | null;
      }
    | { readonly type: 'archive' };
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** How commands of a build run. */
export interface Commands {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly output: (chunk: Buffer) => void;
  readonly signal: AbortSignal;
}

/** A step of the build failed. */
export class StepError extends Error {
  readonly step: string;

  constructor(step: string, message: string) {
    super(message);
    this.step = step;
  }
}

/** Fetches one commit, with credentials in the environment of git only. */
export async function checkOut(
  source: Extract<WebJob['source'], { type: 'git' }>,
  commands: Commands,
): Promise<void> {
  const scheme = new URL(source.url).protocol.slice(0, -1);
  const settings: [string, string][] = [
    ['protocol.allow', 'never'],
    [`protocol.${scheme}.allow`, 'always'],
    ...(source.credential === null
      ? []
      : [
          [
            `http.${new URL(source.url).origin}/.extraHeader`,
            `Authorization: ${source.credential.authorization}`,
          ] as [string, string],
        ]),
  ];
  const env: Record<string, string> = {
    ...commands.env,
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  settings.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  const git = (...args: string[]): Promise<void> =>
    run('checkout', 'git', ['-c', 'core.hooksPath=/dev/null', ...args], { ...commands, env });
  await git('init', '--quiet', '.');
  await git(
    'fetch',
    '--quiet',
    '--depth',
    '1',
    '--no-tags',
    '--end-of-options',
    source.url,
    source.commitSha,
  );
  await git('checkout', '--quiet', 'FETCH_HEAD');
}

/** Builds a web project as `capawesome.config.json` says. @returns the zip of what it built */
export async function buildWeb(job: WebJob, commands: Commands): Promise<Buffer> {
  const config = await readJson(join(commands.cwd, 'capawesome.config.json'));
  const apps = (config?.['cloud'] as { apps?: Record<string, string>[] } | undefined)?.apps ?? [];
  const own = apps.find(({ appId }) => appId === job.app.id) ?? {};
  const base = { ...commands, cwd: join(commands.cwd, own['baseDir'] ?? '.') };
  const shell = (step: string, command: string): Promise<void> => run(step, 'sh', ['-c', command], base);
  await shell('install', own['dependencyInstallCommand'] ?? 'npm install --no-audit --no-fund');
  const { scripts = {} } = ((await readJson(join(base.cwd, 'package.json'))) ?? {}) as {
    scripts?: Record<string, string>;
  };
  const script = ['capawesome:build', 'build'].find((name) => scripts[name] !== undefined);
  const command = own['webBuildCommand'] ?? (script === undefined ? undefined : `npm run ${script}`);
  if (command === undefined) throw new StepError('build', 'package.json has no script "build".');
  await shell('build', command);
  return zipOf(await outputOf(base.cwd));
}

/** Where the web output lies: Capacitor's `webDir`, or the only one of the usual folders with an `index.html`. */
async function outputOf(folder: string): Promise<string> {
  const { webDir } = ((await readJson(join(folder, 'capacitor.config.json'))) ?? {}) as { webDir?: string };
  if (webDir !== undefined) return join(folder, webDir);
  for (const name of ['dist', 'www', 'build']) {
    if (await isFile(join(folder, name, 'index.html'))) return join(folder, name);
  }
  throw new StepError('build', 'The build made no folder with an index.html.');
}

export async function zipOf(folder: string): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    zip.addFile(path, path.slice(folder.length + 1));
  }
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Unpacks a source that a person uploaded, with the modes of its files. */
export async function unzip(bytes: Buffer, folder: string): Promise<void> {
  const file = join(folder, '..', 'source.zip');
  await writeFile(file, bytes);
  const zip = await promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open)(file, { lazyEntries: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  zip.on('error', reject).on('end', resolve);
  zip.on('entry', (entry: yauzl.Entry) => {
    const path = join(folder, entry.fileName);
    const next = async (): Promise<void> => {
      if (!path.startsWith(`${folder}/`)) throw new Error('A path leaves the folder.');
      if (!entry.fileName.endsWith('/')) {
        await mkdir(dirname(path), { recursive: true });
        const mode = (entry.externalFileAttributes >>> 16) & 0o777;
        const stream = await promisify(zip.openReadStream.bind(zip) as typeof openReadStream)(entry);
        await pipeline(stream, createWriteStream(path, mode === 0 ? {} : { mode }));
      }
      zip.readEntry();
    };
    next().catch(reject);
  });
  zip.readEntry();
  await promise;
}

declare function openReadStream(
  entry: yauzl.Entry,
  callback: (error: Error | null, stream: NodeJS.ReadableStream) => void,
): void;

async function run(step: string, command: string, args: string[], options: Commands): Promise<void> {
  const { cwd, env, output, signal } = options;
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const kill = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  signal.addEventListener('abort', kill);
  if (signal.aborted) kill();
  child.stdout.on('data', output);
  child.stderr.on('data', output);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
    signal.throwIfAborted();
    if (code !== 0) throw new StepError(step, `The step "${step}" ended with ${code ?? 'a signal'}.`);
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

async function readJson(path: string): Promise<Record<string, unknown> | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
