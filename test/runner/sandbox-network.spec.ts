import { once } from 'node:events';
import { lookup } from 'node:dns/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { sandboxChecks } from '../../src/runner/sandbox/find-sandbox.js';
import { GATEWAY, isClosed, ownAddresses } from '../../src/runner/sandbox/network/routes.js';
import { removeFolder } from '../../src/runner/folders/remove-folder.js';
import { describeSandbox, type Job, openJob, options } from '../support/runners/sandbox/jobs.js';

/** A public server that every build needs. */
const REGISTRY = 'registry.npmjs.org';

/** Prints how each `[host, port]` is reached: `open`, or why not. */
const CONNECT = `
const targets = JSON.parse(process.argv[1]);
const reach = ([host, port]) => new Promise((resolve) => {
  const socket = require('node:net').connect({ host, port, timeout: 4000 });
  socket.on('connect', () => resolve('open')).on('error', (e) => resolve(e.code)).on('timeout', () => resolve('timeout'));
});
Promise.all(targets.map(reach)).then((found) => { console.log(JSON.stringify(found)); process.exit(0); });`;

type Target = readonly [host: string, port: number];

async function reach(job: Job, targets: readonly Target[]): Promise<Record<string, string>> {
  const { output } = await job.node(CONNECT, JSON.stringify(targets));
  const found = JSON.parse(output) as string[];
  return Object.fromEntries(targets.map(([host], index) => [host, found[index]!]));
}

describeSandbox('the network of a build', () => {
  /** PostgreSQL, the metrics and everything else of the machine are like it: on all its addresses. */
  let server: Server;
  let port: number;
  const jobs: Job[] = [];

  const open = async (allow: readonly string[] = []) => {
    const job = await openJob({ allow });
    jobs.push(job);
    return job;
  };

  beforeAll(async () => {
    server = createServer((socket) => socket.on('error', () => undefined).end('reached'));
    server.listen(0, '::');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server.close();
    await Promise.all(jobs.map(({ folders }) => removeFolder(folders.root)));
  });

  it('reaches no service of the machine, by none of its addresses', async () => {
    const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const targets = all.flatMap(({ address, family, scopeid }): Target[] => [
      [address, port],
      ...(family === 'IPv6' && scopeid ? [[`${address}%tap0`, port] as const] : []),
    ]);
    const found = await reach(await open(), [
      ...targets,
      [GATEWAY, port],
      ['localhost', port],
      ['0.0.0.0', port],
    ]);
    expect(Object.values(found)).not.toContain('open');
    expect(Object.values(found).length).toBeGreaterThan(3);
  });

  it('reaches no metadata and no private network', async () => {
    const addresses =
      '169.254.169.254 169.254.170.2 168.63.129.16 100.100.100.200 10.0.0.1 10.255.255.53 172.16.0.1 172.17.0.1 192.168.0.1 192.168.255.255 100.64.0.1 192.0.0.1 198.18.0.50 198.51.100.1 224.0.0.1 240.0.0.1 255.255.255.255'.split(
        ' ',
      );
    const found = await reach(
      await open(),
      addresses.map((address) => [address, 80]),
    );
    expect(new Set(Object.values(found))).toEqual(new Set(['EHOSTUNREACH']));
  });

  it('has no IPv6', async () => {
    const found = await reach(await open(), [
      ['fd00:ec2::254', 80],
      ['fe80::1%tap0', 80],
      ['2001:4860:4860::8888', 53],
      ['::ffff:10.0.0.1', 80],
    ]);
    expect(Object.values(found)).not.toContain('open');
    expect(Object.values(found)).not.toContain('timeout');
  });

  it('sends no packets to private networks', async () => {
    const program = `const s = require('node:dgram').createSocket('udp4');
      s.send('x', 53, '10.255.255.53', (e) => { console.log(e?.code); s.close(); });`;
    const { output } = await (await open()).node(program);
    expect(output.trim()).toBe('EHOSTUNREACH');
  });

  it('is closed to the machine itself although its network is allowed', async () => {
    const [own] = ownAddresses();
    if (own === undefined) return;
    const network = `${own.split('.').slice(0, 3).join('.')}.0/24`;
    await expect(reach(await open([network, '127.0.0.0/8']), [[own, port]])).resolves.toEqual({
      [own]: 'EHOSTUNREACH',
    });
  });

  it('reaches exactly what RUNNER_ALLOW says', async () => {
    const [own] = ownAddresses();
    if (own === undefined) return;
    const found = await reach(await open([own]), [
      [own, port],
      [GATEWAY, port],
      ['169.254.169.254', 80],
      ['10.0.0.1', 80],
    ]);
    const closed = 'EHOSTUNREACH';
    expect(found[own]).toBe('open');
    expect(found).toMatchObject({ '169.254.169.254': closed, '10.0.0.1': closed });
    expect(found[GATEWAY]).not.toBe('open');
  });

  it('resolves names, and reaches the registry by its name', async () => {
    const address = await lookup(REGISTRY, 4).catch(() => null);
    if (address === null || !(await isReachable(REGISTRY, 443))) {
      process.stderr.write('Skipped: this machine does not reach the npm registry.\n');
      return;
    }
    const isPublic = !isClosed(address.address, [], ownAddresses());
    const found = await reach(await open(isPublic ? [] : [REGISTRY]), [[REGISTRY, 443]]);
    expect(found).toEqual({ [REGISTRY]: 'open' });
    if (!isPublic) {
      await expect(reach(await open(), [[REGISTRY, 443]])).resolves.toEqual({ [REGISTRY]: 'EHOSTUNREACH' });
    }
  });

  it('is that of the machine for the source', async () => {
    const job = await open();
    const { output } = await job.run(
      [process.execPath, '-e', CONNECT, JSON.stringify([['127.0.0.1', port]])],
      { network: 'fetch' },
    );
    expect(JSON.parse(output)).toEqual(['open']);
  });

  it('says which names of RUNNER_ALLOW have no address', async () => {
    const job = await open(['nowhere.invalid', 'fd00::/8']);
    expect(job.sandbox.notes).toEqual(
      expect.arrayContaining([
        expect.stringContaining('nowhere.invalid, which has no IPv4 address'),
        expect.stringContaining('fd00::/8, but builds have no IPv6'),
      ]),
    );
  });

  it('passes the self-check, with Slipway on this machine', async () => {
    const checks = await sandboxChecks({
      ...options,
      apiUrl: `http://${ownAddresses()[0] ?? 'localhost'}:${port}`,
    });
    expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(checks.find(({ name }) => name === 'sandbox')).toMatchObject({ status: 'ok' });
  });
});

async function isReachable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5000 });
    const end = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket
      .on('connect', () => end(true))
      .on('error', () => end(false))
      .on('timeout', () => end(false));
  });
}
