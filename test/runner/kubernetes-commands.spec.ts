import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PodSandbox } from '../../src/runner/kubernetes/pod-sandbox.js';
import type { JobFolders } from '../../src/runner/folders/job-folders.js';
import type { BuildCommand, JobSandbox } from '../../src/runner/sandbox/sandbox.js';
import { canRunContainers, startContainer } from '../support/kubernetes/container.js';

const describeWithContainers = canRunContainers ? describe : describe.skip;
if (!canRunContainers)
  process.stderr.write('Skipped: this machine has no bubblewrap, or it may not use it.\n');

describeWithContainers('commands in the other container of a pod', () => {
  let root: string;
  let container: ChildProcess;
  let exited: Promise<unknown>;
  let pod: PodSandbox;
  let folders: JobFolders;
  let sandbox: JobSandbox;
  let output: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'slipway-pod-'));
    for (const name of ['repo', 'home', 'cache', 'socket', 'tmp', 'keys']) await mkdir(join(root, name));
    folders = {
      root,
      repo: join(root, 'repo'),
      home: join(root, 'home'),
      cache: join(root, 'cache'),
      artifacts: join(root, 'artifacts'),
    };
    container = startContainer(['runner', 'commands'], {
      env: { RUNNER_SOCKET: '/var/run/slipway-build/commands.sock', LEAK: 'of the container' },
      mounts: [
        { from: join(root, 'socket'), to: '/var/run/slipway-build' },
        { from: join(root, 'tmp'), to: '/tmp' },
        ...['repo', 'home', 'cache'].map((name) => ({ from: join(root, name), to: join(root, name) })),
      ],
    });
    container.stderr?.pipe(process.stderr);
    exited = once(container, 'exit');
    pod = new PodSandbox({
      socket: join(root, 'socket/commands.sock'),
      startSeconds: 30,
      signingMiB: 512,
      keysDir: join(root, 'keys'),
      npmRegistry: null,
    });
    sandbox = await pod.open(folders);
    output = '';
  });

  afterEach(async () => {
    container.kill('SIGKILL');
    await exited;
    await rm(root, { recursive: true });
  });

  const run = (script: string, more: Partial<BuildCommand> = {}) =>
    sandbox.run({
      command: ['sh', '-c', script],
      cwd: '',
      env: {},
      network: 'build',
      onOutput: (chunk) => (output += chunk.toString()),
      signal: new AbortController().signal,
      ...more,
    });

  it('signs in the container of the agent, with a key in its own volume', async () => {
    const signing = await pod.openSigning(folders);
    await signing.run({
      command: ['sh', '-c', `cat ${signing.inner.keys}/key; env; pwd`],
      env: { PASSWORD: 'of the key' },
      keys: { key: Buffer.from('key of the app\n') },
      onOutput: (chunk) => (output += chunk.toString()),
      signal: new AbortController().signal,
    });
    expect(signing.inner.keys).toBe(join(root, 'keys/keys'));
    expect(output).toMatch(/^key of the app\n/);
    expect(output).toContain('PASSWORD=of the key\n');
    expect(output).not.toContain('LEAK');
    expect(await readdir(join(root, 'keys'))).toEqual([]);
    expect(signing.folder.startsWith(`${root}/signing-`)).toBe(true);
    await run(`ls ${root}`);
    expect(output).toMatch(/\ncache\nhome\nrepo\n$/);
    await signing.close();
    expect((await readdir(root)).filter((name) => name.startsWith('signing'))).toEqual([]);
  });

  it('runs in the working copy with the environment that it is given', async () => {
    await mkdir(join(root, 'repo/app'));
    const end = await run('pwd; echo $GIVEN $LEAK $RUNNER_SOCKET; echo wrong >&2; echo made > made; exit 3', {
      cwd: 'app',
      env: { GIVEN: 'given' },
    });
    expect(end).toEqual({ exitCode: 3, limit: null });
    expect(output).toBe(`${root}/repo/app\ngiven\nwrong\n`);
    expect(await readFile(join(root, 'repo/app/made'), 'utf8')).toBe('made\n');
    expect((await run('kill -TERM $$')).exitCode).toBe(143);
    expect((await run('', { command: ['no-such-program'] })).exitCode).toBe(127);
    expect((await run('true', { cwd: 'nowhere' })).exitCode).toBe(127);
    await expect(run('true', { cwd: '../home' })).rejects.toThrow('leaves the working copy');
    await symlink('/etc', join(root, 'repo/link'));
    // A link of the repository leads to files of the container only.
    expect((await run('true', { cwd: 'link' })).exitCode).toBe(0);
  });

  it('leaves no process behind, however a command hides it', async () => {
    const end = await run(
      'for i in 1 2 3; do setsid sh -c "while :; do sleep 0.1; date > $HOME/alive; done" & done; sleep 0.5; exit 0',
    );
    expect(end.exitCode).toBe(0);
    await rm(join(root, 'home/alive'), { force: true });
    await sleep(500);
    await expect(readFile(join(root, 'home/alive'))).rejects.toThrow('ENOENT');
  });

  it('ends a command that ignores SIGTERM when the job is canceled, with all that it started', async () => {
    const canceled = new AbortController();
    const running = run('trap "" TERM INT HUP; sleep 60 & sleep 60', { signal: canceled.signal });
    await sleep(300);
    const startedAt = Date.now();
    canceled.abort(new Error('canceled'));
    await expect(running).rejects.toThrow('canceled');
    expect(Date.now() - startedAt).toBeLessThan(3000);
    await run('cat /proc/[0-9]*/stat | grep "(sleep)" | grep -v ") Z"');
    expect(output).toBe('');
  });

  it('survives the signals of a command', async () => {
    await run('kill -KILL 1; kill -STOP 1; kill -HUP 1');
    expect((await run('exit 4')).exitCode).toBe(4);
  });

  it('streams much output no faster than it is read, and in order', async () => {
    let length = 0;
    let last = '';
    const end = await run(
      'i=0; while [ $i -lt 20000 ]; do echo "line $i"; echo "error $i" >&2; i=$((i+1)); done',
      {
        onOutput: (chunk) => {
          length += chunk.length;
          last = (last + chunk.toString()).slice(-40);
        },
      },
    );
    expect(end.exitCode).toBe(0);
    expect(last).toMatch(/line 19999\nerror 19999\n$/);
    expect(length).toBeGreaterThan(400_000);
  });

  it('reports the loss of the container as its limit of memory', async () => {
    const running = run('sleep 60');
    await sleep(300);
    container.kill('SIGKILL');
    expect(await running).toEqual({ exitCode: 137, limit: 'memory' });
    expect(await run('true')).toEqual({ exitCode: 137, limit: 'memory' });
  });

  it('refuses what is no request', async () => {
    await writeFile(join(root, 'repo/talk.cjs'), TALK);
    await run('', { command: ['node', 'talk.cjs'] });
    expect(output).toBe('closed\nclosed\nclosed\n');
    expect((await run('exit 5')).exitCode).toBe(5);
  });
});

/** Talks to the socket as a build could: nonsense, a command while one runs, and nothing. */
const TALK = `
const { connect } = require('node:net');
const path = '/var/run/slipway-build/commands.sock';
const send = (text) => new Promise((resolve) => {
  const socket = connect(path, () => socket.end(text));
  socket.on('error', () => undefined).on('close', () => { console.log('closed'); resolve(); }).resume();
});
(async () => {
  await send('nonsense\\n');
  await send(JSON.stringify({ run: { command: ['true'], cwd: '/', env: {} } }) + '\\n');
  await send('');
})();
`;
