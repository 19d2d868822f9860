import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BubblewrapSandbox } from '../../src/runner/sandbox/bubblewrap/bubblewrap.js';
import { removeFolder } from '../../src/runner/folders/remove-folder.js';
import { NoSandbox } from '../../src/runner/sandbox/none.js';
import type { JobFolders } from '../../src/runner/folders/job-folders.js';
import type { Sandbox } from '../../src/runner/sandbox/sandbox.js';
import type { SigningCommand, SigningSandbox } from '../../src/runner/sandbox/signing-sandbox.js';
import { eventually } from '../support/eventually.js';
import { filesWith } from '../support/processes/files-with.js';
import { sha256 } from '../support/sha256.js';
import {
  describeSandbox,
  makeFolders,
  markedProcesses,
  newMark,
  options,
} from '../support/runners/sandbox/jobs.js';

const SECRET = randomBytes(24).toString('hex');
const CONNECT = `
const [host, port] = process.argv.slice(1);
require('node:net').connect({ host, port: Number(port), timeout: 3000 })
  .on('connect', () => { console.log('open'); process.exit(); })
  .on('timeout', () => { console.log('timeout'); process.exit(); })
  .on('error', (error) => console.log(error.code));`;

type Settings = Partial<Pick<SigningCommand, 'env' | 'keys' | 'signal'>>;

/** One place to sign in, in a job whose build has left files everywhere. */
class SigningBench {
  readonly folders: JobFolders = makeFolders(tmpdir());
  private signing: SigningSandbox | null = null;

  constructor(private readonly sandbox: Sandbox) {
    for (const folder of [this.folders.repo, this.folders.home, this.folders.cache]) {
      writeFileSync(join(folder, 'planted'), 'x');
    }
  }

  async open(tools: readonly string[] = []): Promise<SigningSandbox> {
    this.signing = await this.sandbox.openSigning(this.folders, tools);
    return this.signing;
  }

  async run(command: readonly [string, ...string[]], { env = {}, keys = {}, signal }: Settings = {}) {
    const output: Buffer[] = [];
    const end = await this.signing!.run({
      command,
      env,
      keys,
      onOutput: (chunk) => output.push(chunk),
      signal: signal ?? AbortSignal.timeout(60_000),
    });
    return { ...end, output: Buffer.concat(output).toString() };
  }

  sh(script: string, settings?: Settings) {
    return this.run(['/bin/sh', '-c', script], settings);
  }

  remove(): Promise<void> {
    return removeFolder(this.folders.root);
  }
}

const kinds: readonly (readonly [string, () => Sandbox, typeof describe])[] = [
  ['bubblewrap', () => new BubblewrapSandbox(options), describeSandbox],
  ['no sandbox', () => new NoSandbox(options), describe],
];

describe.each(kinds)('signing with %s', (_name, make, describeKind) => {
  describeKind('', () => {
    let bench: SigningBench;
    let signing: SigningSandbox;

    beforeEach(async () => {
      bench = new SigningBench(make());
      signing = await bench.open();
    });
    afterEach(() => bench.remove());

    it('has an empty folder that the runner also sees', async () => {
      writeFileSync(join(signing.folder, 'in'), 'content');
      const { output, exitCode } = await bench.sh('pwd; ls -A; cat in; echo made >out');
      expect([output, exitCode]).toEqual([`${signing.inner.folder}\nin\ncontent`, 0]);
      expect(readdirSync(signing.folder).toSorted()).toEqual(['in', 'out']);
    });

    it('has its own environment: nothing of the runner', async () => {
      process.env['JAVA_TOOL_OPTIONS'] = SECRET;
      const { output } = await bench.sh('env', { env: { PASSWORD: 'a b' } });
      delete process.env['JAVA_TOOL_OPTIONS'];
      expect(output).toContain('PASSWORD=a b\n');
      expect(output).not.toContain(SECRET);
    });

    it('has the keys of one command, and only while it runs', async () => {
      const key = Buffer.concat([Buffer.from(SECRET), randomBytes(200_000)]);
      const path = `${signing.inner.keys}/key.jks`;
      const script = `sha256sum <${path}; stat -c %a ${path}; ls ${signing.inner.keys}`;
      const { output } = await bench.sh(script, { keys: { 'key.jks': key } });
      expect(output).toMatch(/^[0-9a-f]{64} {2}-\n[46]00\nkey\.jks\n$/);
      expect(output).toContain(sha256(key));
      expect(await filesWith(bench.folders.root, SECRET)).toEqual([]);
      expect(await bench.sh(`cat ${path}`)).toMatchObject({ exitCode: 1 });
      await expect(bench.sh('exit 3', { keys: { key } })).resolves.toMatchObject({ exitCode: 3 });
      expect(await filesWith(bench.folders.root, SECRET)).toEqual([]);
    });

    it('ends with the signal, and leaves neither process nor key', async () => {
      const mark = newMark();
      const controller = new AbortController();
      const running = bench.sh('trap "" TERM; sleep 1000 & sleep 1000', {
        env: { MARK: mark },
        keys: { key: Buffer.from(SECRET) },
        signal: controller.signal,
      });
      await eventually(() => expect(markedProcesses(mark).length).toBeGreaterThan(1));
      controller.abort(new Error('The job was canceled.'));
      await expect(running).rejects.toThrow('The job was canceled.');
      expect(markedProcesses(mark)).toEqual([]);
      expect(await filesWith(bench.folders.root, SECRET)).toEqual([]);
    });

    it('leaves nothing when it is closed, and is apart from another one', async () => {
      const other = await make().openSigning(bench.folders, []);
      expect(other.folder).not.toBe(signing.folder);
      await bench.sh('mkdir -p "$HOME/a" && touch "$HOME/a/b" out && chmod 0 "$HOME/a"');
      await Promise.all([other.close(), signing.close()]);
      expect(readdirSync(bench.folders.root).filter((name) => name.startsWith('signing'))).toEqual([]);
    });
  });
});

describeSandbox('the sandbox that signs', () => {
  let bench: SigningBench;
  beforeEach(() => {
    bench = new SigningBench(new BubblewrapSandbox({ ...options, allow: ['0.0.0.0/0'] }));
  });
  afterEach(() => bench.remove());

  it('has no network, whatever the operator opens to builds', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end());
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await bench.open(options.readOnly);
    for (const host of ['127.0.0.1', '198.18.0.2', '198.18.0.3', '10.0.0.1', '1.1.1.1']) {
      const { output } = await bench.run([process.execPath, '-e', CONNECT, host, String(port)]);
      expect(output).toMatch(/^(ECONNREFUSED|ENETUNREACH)\n$/);
    }
    expect((await bench.sh('cat /proc/net/dev | tail -n +3 | cut -d: -f1')).output.trim()).toBe('lo');
    server.close();
  });

  it('sees nothing of the build, and no programs but those that were named', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tools-'));
    mkdirSync(join(folder, 'build-tools'));
    writeFileSync(join(folder, 'build-tools/apksigner'), '#!/bin/sh\necho stand-in\n', { mode: 0o755 });
    writeFileSync(join(folder, 'secret'), 'x');
    await bench.open([join(folder, 'build-tools')]);
    const { output } = await bench.sh(
      `${folder}/build-tools/apksigner; touch ${folder}/build-tools/x || ls ${folder}; find / -name planted 2>/dev/null; cat /proc/self/mounts`,
    );
    expect(output).toMatch(/^stand-in\ntouch: [^\n]*Read-only file system\nbuild-tools\n/);
    expect(output).not.toContain('planted');
    for (const path of ['/repo ', '/cache ', '/home ']) {
      expect(output).not.toContain(`${bench.folders.root}${path}`);
    }
    await removeFolder(folder);
  });

  it('keeps its keys in memory', async () => {
    const { inner } = await bench.open();
    const { output } = await bench.sh(`stat -f -c %T ${inner.keys}/key`, {
      keys: { key: Buffer.from(SECRET) },
    });
    expect(output).toBe('tmpfs\n');
  });

  it('has the limits of the runner', async () => {
    await bench.open(options.readOnly);
    const program = 'const all = []; for (;;) all.push(Buffer.alloc(8 * 1024 ** 2, 1));';
    expect(await bench.run([process.execPath, '-e', program])).toMatchObject({ limit: 'memory' });
  });
});
