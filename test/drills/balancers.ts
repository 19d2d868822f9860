import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROXIES = join(import.meta.dirname, '../../deploy/proxies');
/** The addresses in the examples, which the drill replaces. */
const EXAMPLE_SERVERS = ['10.0.0.11:3000', '10.0.0.12:3000'] as const;

/** A load balancer that runs. */
export interface Balancer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Ports of 127.0.0.1: that of the balancer and those of the two servers. */
export interface Ports {
  readonly balancer: number;
  readonly servers: readonly [number, number];
}

/** nginx with as few settings as a reverse proxy can have: HTTP/1.0 to the servers, no connection is kept. */
export function startPlainNginx(ports: Ports): Promise<Balancer> {
  const [one, two] = ports.servers;
  return startNginx(
    `upstream slipway { server 127.0.0.1:${one}; server 127.0.0.1:${two}; }
     server {
       listen 127.0.0.1:${ports.balancer};
       client_max_body_size 64m;
       location / { proxy_pass http://slipway; }
     }`,
    ports,
  );
}

/** nginx with `deploy/proxies/nginx.conf`. */
export async function startNginxExample(ports: Ports): Promise<Balancer> {
  const example = await exampleOf('nginx.conf', ports);
  return startNginx(example.replace('listen 80;', `listen 127.0.0.1:${ports.balancer};`), ports);
}

/**
 * nginx with an example that caches.
 *
 * @param name of the file in `deploy/proxies`
 * @param example the address in it
 * @param target what to replace that by: host and port
 */
export async function startCachingNginx(
  name: string,
  example: string,
  target: string,
  port: number,
): Promise<Balancer> {
  const text = await readFile(join(PROXIES, name), 'utf8');
  const config = text
    .replaceAll(example, target)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('/var/cache/nginx/', '');
  return startNginx(config, { balancer: port, servers: [0, 0] });
}

/** HAProxy with `deploy/proxies/haproxy.cfg`. */
export async function startHaproxyExample(ports: Ports): Promise<Balancer> {
  const example = await exampleOf('haproxy.cfg', ports);
  const config = example.replace('bind :80', `bind 127.0.0.1:${ports.balancer}`);
  return run('haproxy', 'haproxy.cfg', config, (path) => ['-db', '-f', path], 'SIGTERM', ports);
}

/** Which of the programs are not installed. */
export function missingPrograms(): string[] {
  return ['nginx', 'haproxy'].filter((program) => spawnSync(program, ['-v']).error !== undefined);
}

/** nginx with own settings. @param http the content of the `http` block */
export function startNginx(http: string, ports: Ports): Promise<Balancer> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${name};`,
  );
  const config = [
    'pid nginx.pid;',
    'daemon off;',
    // As root, the workers of nginx would run as another user, who cannot write to the folder.
    process.getuid?.() === 0 ? 'user root;' : '',
    'events {}',
    `http { access_log off; ${temporary.join(' ')}`,
    http,
    '}',
  ].join('\n');
  const args = (path: string, folder: string): string[] => ['-e', 'stderr', '-p', folder, '-c', path];
  return run('nginx', 'nginx.conf', config, args, 'SIGQUIT', ports);
}

async function run(
  program: string,
  name: string,
  config: string,
  args: (path: string, folder: string) => string[],
  signal: NodeJS.Signals,
  ports: Ports,
): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-balancer-'));
  const path = join(folder, name);
  await writeFile(path, config);
  const child = spawn(program, args(path, folder), { stdio: ['ignore', 'ignore', 'pipe'] });
  const stopped = once(child, 'exit');
  process.once('exit', () => child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
  await untilListening(ports.balancer, child, () => log);
  return {
    origin: `http://127.0.0.1:${ports.balancer}`,
    stop: async () => {
      child.kill(signal);
      await stopped;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(port: number, child: ChildProcess, log: () => string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (child.exitCode !== null) throw new Error(`The balancer ended with ${child.exitCode}:\n${log()}`);
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await sleep(50);
  }
  throw new Error(`The balancer does not listen:\n${log()}`);
}

async function exampleOf(name: string, { servers }: Ports): Promise<string> {
  const example = await readFile(join(PROXIES, name), 'utf8');
  return EXAMPLE_SERVERS.reduce(
    (text, address, index) => text.replace(address, `127.0.0.1:${servers[index]}`),
    example,
  );
}
