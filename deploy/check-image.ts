import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { Copy, From, Run } from 'dockerfile-ast';
import picomatch from 'picomatch';
import { builtDatabase } from '../test/setup/built.ts';
import { eventually } from '../test/support/eventually.ts';
import { dockerfile, dockerIgnored, image, runnerImage, services } from './files.ts';

/**
 * Runs the steps of the Dockerfile without a container engine, each stage in an empty folder instead of `/app`. In the
 * last folder it runs the migration command of docker-compose.yml, then the server and the health check of the
 * Dockerfile, and opens the console. This fails when no stage copies a file, or when production needs a development
 * dependency.
 */
const root = join(import.meta.dirname, '..');
const WORKDIR = '/app';
/** Exit code of a runner. */
const TOKEN_REFUSED = 3;
/** In milliseconds. */
const START_TIMEOUT = 60_000;
/** Files of this checkout that stay out of images. */
const isIgnored = picomatch(dockerIgnored, { dot: true });

const temporary = mkdtempSync(join(tmpdir(), 'slipway-image-'));
const data = join(temporary, 'data');
const { startEmbeddedPostgres, removeEmbeddedPostgresData } = await builtDatabase();
try {
  const folder = buildStages();
  const postgres = await startEmbeddedPostgres({ dataDir: data });
  try {
    await runImage(folder, postgres.url);
  } finally {
    await postgres.stop();
    await removeEmbeddedPostgresData(data);
  }
} finally {
  rmSync(temporary, { recursive: true });
}

/** @returns the folder of the last stage */
function buildStages(): string {
  let stage = '';
  for (const instruction of dockerfile.getInstructions()) {
    const words = instruction.getArguments().map((argument) => argument.getValue());
    if (instruction instanceof From) {
      stage = join(temporary, instruction.getBuildStage() ?? 'image');
      mkdirSync(stage);
    } else if (instruction instanceof Copy) {
      const from = instruction.getFromFlag()?.getValue();
      for (const source of words.slice(0, -1)) {
        const path = from ? join(temporary, from, relative(WORKDIR, source)) : join(root, source);
        const target = resolve(stage, words.at(-1) ?? '.', statSync(path).isFile() ? basename(path) : '.');
        cpSync(path, target, {
          recursive: true,
          verbatimSymlinks: true,
          filter: (file) => from != null || !isIgnored(relative(root, file)),
        });
      }
    } else if (instruction instanceof Run && words[0] === 'npm') {
      execFileSync('npm', words.slice(1), { cwd: stage, stdio: 'inherit' });
    }
  }
  return stage;
}

async function runImage(folder: string, databaseUrl: string): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    ...image.env,
    DATA_DIR: data,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    HOST: '127.0.0.1',
    PORT: await freePort(),
    LOG_LEVEL: 'warn',
  };
  const [node = '', ...serverArgs] = image.entrypoint;
  execFileSync(node, [...serverArgs, ...services.migrate.command], { cwd: folder, env, stdio: 'inherit' });

  const server = spawn(node, serverArgs, { cwd: folder, env, stdio: 'inherit' });
  const ended = once(server, 'exit');
  const [checker = '', ...checkerArgs] = image.healthCheck;
  try {
    await eventually(() => execFileSync(checker, checkerArgs, { env, stdio: 'ignore' }), START_TIMEOUT);
    // The manifests' readiness probe.
    const ready = await fetch(`http://127.0.0.1:${env.PORT}/health/ready`);
    if (ready.status !== 200) throw new Error(`The server is not ready: ${await ready.text()}`);
    await openConsole(`http://127.0.0.1:${env.PORT}`);
    await runRunner(`http://127.0.0.1:${env.PORT}`);
  } finally {
    server.kill('SIGTERM');
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`The server ends with ${code} on SIGTERM.`);
  console.log('The image builds, migrates, starts and stops.');
}

/** Gets the console as a browser does: its page with the nonce that the policy allows, and the script that it names. */
async function openConsole(origin: string): Promise<void> {
  const page = await fetch(origin);
  const html = await page.text();
  const nonce = /'nonce-([^']+)'/.exec(page.headers.get('Content-Security-Policy') ?? '')?.[1];
  const script = /<script [^>]*src="(\/console\/files\/[^"]+\.js)"[^>]*>/.exec(html);
  if (!page.ok || nonce === undefined || !script?.[0].includes(`nonce="${nonce}"`)) {
    throw new Error(
      `The page of the console answers ${page.status}, without a script that it allows:\n${html}`,
    );
  }
  const file = await fetch(origin + script[1]);
  const kept = file.headers.get('Cache-Control');
  if (!file.ok || !kept?.includes('immutable') || (await file.text()) === '') {
    throw new Error(`${script[1]} answers ${file.status}, with Cache-Control: ${kept}.`);
  }
  const licenses = await fetch(`${origin}/console/licenses.md`);
  if (!licenses.ok) throw new Error(`The licences of the console answer ${licenses.status}.`);
  console.log('The image has the console.');
}

/** Starts the image of the runner. The server refuses its token, so both have understood each other. */
async function runRunner(url: string): Promise<void> {
  const [node = '', ...args] = [...runnerImage.entrypoint, ...runnerImage.command];
  const runner = spawn(node, [...args, '--trust-repositories'], {
    cwd: join(temporary, 'runner'),
    env: {
      PATH: process.env['PATH'],
      ...runnerImage.env,
      RUNNER_DIR: join(temporary, 'runner-dir'),
      SLIPWAY_URL: url,
      RUNNER_TOKEN: `slr_${'0'.repeat(48)}`,
    },
    stdio: 'inherit',
  });
  const [code] = (await once(runner, 'exit')) as [number | null];
  if (code !== TOKEN_REFUSED) throw new Error(`The runner ends with ${code} when its token is refused.`);
  console.log('The image of the runner starts.');
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}
