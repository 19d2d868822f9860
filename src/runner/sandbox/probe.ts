import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BubblewrapSandbox } from './bubblewrap/bubblewrap.js';
import { contains } from './bubblewrap/readable-folders.js';
import type { Check } from './check.js';
import { parseAllowedTargets, resolveHosts } from './network/allowed-targets.js';
import { GATEWAY, isClosed, ownAddresses } from './network/routes.js';
import { removeFolder } from '../folders/remove-folder.js';
import type { SandboxOptions } from './sandbox-options.js';

/** A place that a build must not reach. */
interface Target {
  readonly host: string;
  readonly port: number;
}

/** Runs in the sandbox: which targets it reaches, who it is, and which rights it has. */
const PROGRAM = `
const targets = JSON.parse(process.argv[1]);
const reach = ({ host, port }) => new Promise((resolve) => {
  const socket = require('node:net').connect({ host, port, timeout: 2000 });
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false)).on('timeout', () => resolve(false));
});
Promise.all(targets.map(reach)).then((reached) => {
  const status = require('node:fs').readFileSync('/proc/self/status', 'utf8');
  const rights = /^CapEff:\\s+0+$/m.test(status) && /^CapBnd:\\s+0+$/m.test(status) && process.getuid() !== 0;
  console.log(JSON.stringify({ reached: targets.filter((_, index) => reached[index]), hasNoRights: rights }));
  process.exit(0);
});`;

/** Makes a sandbox and tries to leave it: builds must reach no service of this machine, and have no rights. */
export async function probeSandbox(options: SandboxOptions): Promise<Check> {
  const name = 'sandbox';
  const root = await mkdtemp(join(tmpdir(), 'slipway-probe-'));
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { reached, hasNoRights } = await probe(root, options, await targetsOf(options, port));
    if (!hasNoRights)
      return { name, status: 'failed', message: 'Builds have rights that they must not have.' };
    if (reached.length > 0) {
      const list = reached.map((target) => `${target.host}:${target.port}`).join(', ');
      return { name, status: 'failed', message: `Builds reach what they must not: ${list}.` };
    }
    return { name, status: 'ok', message: 'Builds have no rights and do not reach this machine.' };
  } catch (error) {
    return { name, status: 'failed', message: error instanceof Error ? error.message : String(error) };
  } finally {
    server.close();
    await removeFolder(root);
  }
}

async function probe(root: string, options: SandboxOptions, targets: readonly Target[]) {
  const folder = async (part: string) => {
    await mkdir(join(root, part));
    return join(root, part);
  };
  const folders = {
    root,
    repo: await folder('repo'),
    home: await folder('home'),
    cache: await folder('cache'),
    artifacts: await folder('artifacts'),
  };
  // The program is JavaScript, so the sandbox shows the Node.js that runs this.
  const node = dirname(process.execPath);
  const readOnly = contains('/usr', node) ? options.readOnly : [...options.readOnly, node];
  const sandbox = await new BubblewrapSandbox({ ...options, readOnly }).open(folders);
  const output: Buffer[] = [];
  const { exitCode } = await sandbox.run({
    command: [process.execPath, '-e', PROGRAM, JSON.stringify(targets)],
    cwd: '',
    env: {},
    network: 'build',
    onOutput: (chunk) => output.push(chunk),
    signal: AbortSignal.timeout(60_000),
  });
  const text = Buffer.concat(output).toString();
  if (exitCode !== 0) throw new Error(`A trial command failed in the sandbox: ${text.trim().slice(0, 500)}`);
  return JSON.parse(text) as { reached: Target[]; hasNoRights: boolean };
}

/** The machine by all its names, and Slipway if it is on a private network that is not allowed. */
async function targetsOf({ apiUrl, allow }: SandboxOptions, port: number): Promise<Target[]> {
  const own = ownAddresses();
  const { networks, hosts } = parseAllowedTargets(allow);
  const allowed = [...networks, ...(await resolveHosts(hosts)).networks];
  const url = new URL(apiUrl);
  const found = await lookup(url.hostname, { all: true, family: 4 }).catch(() => []);
  const apiPort = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const listeners = ['127.0.0.1', GATEWAY, ...own].map((host) => ({ host, port }));
  return [...listeners, ...found.map(({ address }) => ({ host: address, port: apiPort }))].filter(
    ({ host }) => host === GATEWAY || isClosed(host, allowed, own),
  );
}
