import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BubblewrapSandbox } from '../../src/runner/sandbox/bubblewrap/bubblewrap.js';
import { removeFolder } from '../../src/runner/folders/remove-folder.js';
import { describeSandbox, type Job, newMark, openJob, options } from '../support/runners/sandbox/jobs.js';

const isX64 = process.arch === 'x64';

describeSandbox('what a build sees and may do', () => {
  let job: Job;
  let other: Job;

  beforeAll(async () => {
    job = await openJob();
    other = await openJob();
    writeFileSync(join(other.folders.repo, 'secret.txt'), 'of another job');
  });
  afterAll(async () => {
    await Promise.all([job, other].map(({ folders }) => removeFolder(folders.root)));
  });

  it('is an ordinary user without rights, in its own folders', async () => {
    const result = await job.sh(
      'id -u; pwd; echo $HOME; grep -c "^Cap...:.0*$" /proc/self/status; grep NoNewPrivs /proc/self/status',
    );
    expect(result.output.split(/\s+/)).toEqual(
      '1000 /tmp/capawesome/repo /home/build 5 NoNewPrivs: 1'.split(' ').concat(''),
    );
  });

  it.each([
    ['remount the root', 'mount -o remount,rw /'],
    ['remount the programs', 'mount -o remount,rw /usr'],
    ['mount anything', 'mount -t tmpfs none /tmp'],
    ['bind a folder', 'mount --bind /usr /tmp'],
    ['make a user namespace', 'unshare --user true'],
    ['make a user namespace as root of it', 'unshare --user --map-root-user true'],
    ['make a mount namespace', 'unshare --mount true'],
    ['enter the namespaces of the first process', 'nsenter -t 1 -n true'],
    ['become root', 'setpriv --reuid 0 true'],
    ['change the root', 'chroot /tmp true'],
    ['read the passwords of the machine', 'cat /etc/shadow'],
    ['read keys of servers', 'ls /etc/ssl/private'],
    ['read the home of root', 'ls /root'],
    ['read the homes of users', 'ls -d /home/[!b]*'],
    ['see the logs of the machine', 'ls /var/log'],
    ['write programs', 'touch /usr/bin/hostile'],
    ['write to the root', 'touch /hostile'],
    ['write to /etc', 'touch /etc/hostile'],
    ['write to /dev', 'touch /dev/hostile'],
    ['make a device', 'mknod /tmp/disk b 8 0'],
    ['read the disks', 'head -c1 /dev/vda || head -c1 /dev/sda || head -c1 /dev/nvme0n1'],
    ['read the memory of the kernel', 'head -c1 /proc/kcore'],
    ['read the log of the kernel', 'dmesg || head -c1 /proc/kmsg || head -c1 /dev/kmsg'],
    ['choose the program for crashes', 'echo "|/tmp/hostile" > /proc/sys/kernel/core_pattern'],
    ['choose the program for modules', 'echo /tmp/hostile > /proc/sys/kernel/modprobe'],
    ['forward packets', 'echo 1 > /proc/sys/net/ipv4/ip_forward'],
    ['restart the machine', 'echo b > /proc/sysrq-trigger'],
    ['see the hardware', 'ls /sys/class'],
    ['change control groups', 'mkdir /sys/fs/cgroup/hostile'],
    ['change routes', 'ip route del unreachable 169.254.0.0/16'],
    ['add an address', 'ip addr add 10.0.0.9/8 dev tap0'],
    ['signal the runner', `kill -0 ${process.pid}`],
    ['trace the runner', `perl -e 'exit(syscall(${isX64 ? 101 : 117}, 16, ${process.pid}, 0, 0) == -1)'`],
  ])('cannot %s', async (_title, script) => {
    const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
    const { exitCode } = await job.sh(script);
    expect(exitCode).not.toBe(0);
    expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before);
  });

  it.each([
    ['AF_VSOCK, which leads to the hypervisor', 40],
    ['AF_ALG', 38],
    ['AF_PACKET', 17],
  ])('has no sockets of %s', async (_title, family) => {
    const { output } = await job.run([
      'perl',
      '-e',
      `print socket(my $s, ${family}, 1, 0) ? "worked" : "refused"`,
    ]);
    expect(output).toBe('refused');
  });

  it.each([
    ['NETLINK_ROUTE', 0, 'worked'],
    ['NETLINK_NETFILTER', 12, 'refused'],
    ['NETLINK_KOBJECT_UEVENT', 15, 'refused'],
    ['NETLINK_GENERIC', 16, 'refused'],
  ])('has of netlink only ROUTE: %s', async (_title, protocol, expected) => {
    const { output } = await job.run([
      'perl',
      '-e',
      `print socket(my $s, 16, 3, ${protocol}) ? "worked" : "refused"`,
    ]);
    expect(output).toBe(expected);
  });

  it('sees no other job, nor what the runner keeps beside its folders', async () => {
    writeFileSync(join(job.folders.root, 'runner-token'), 'of the runner');
    const { output } = await job.sh(
      `ls ${other.folders.root} ${other.folders.repo} ${job.folders.root}; cat ${job.folders.root}/runner-token; ls /tmp /tmp/capawesome`,
    );
    expect(output).not.toContain('of the runner');
    expect(output).not.toContain('secret.txt');
    expect(output.match(/No such file or directory/g)).toHaveLength(4);
  });

  it('sees neither processes, environment nor open files of the runner', async () => {
    const mark = newMark();
    process.env['RUNNER_TEST_SECRET'] = mark;
    const { output } = await job.sh(
      'env; cat /proc/*/environ /proc/*/cmdline; ls -l /proc/self/fd; ls -d /proc/[0-9]*',
    );
    delete process.env['RUNNER_TEST_SECRET'];
    expect(output).not.toContain(mark);
    expect(output).not.toContain('NODE_');
    // The first shell, this one and ls.
    expect(output.match(/^\/proc\/\d+$/gm)!.length).toBeLessThanOrEqual(4);
    const open = output.match(/ -> .*/g)!.map((link) => link.replace(/\d+/g, ''));
    expect(open.filter((link) => !/\/dev\/null|\/output-.*deleted|\/proc\//.test(link))).toEqual([]);
  });

  it('gets variables by no way that other users of the machine see', async () => {
    const mark = newMark();
    const running = job.sh('sleep 1', { env: { SECRET: mark } });
    await new Promise((resolve) => setTimeout(resolve, 600));
    const lists = await other.sh('true').then(() => readCommandLines());
    await running;
    expect(lists).not.toContain(mark);
  });

  it('opens /dev/stdout and /dev/stderr, which both are the log, in order', async () => {
    const { output } = await job.sh('echo 1; echo 2 >/dev/stderr; echo 3 >/dev/stdout; echo 4 >&2');
    expect(output).toBe('1\n2\n3\n4\n');
  });

  it('leaves files with odd names and without permissions, which can be removed', async () => {
    const odd = await openJob();
    await odd.sh(
      'mkdir -p closed/deep; touch closed/deep/file "$(printf "new\\nline")" "$(printf "\\377")" -- -rf; ln -s / root; chmod 000 closed/deep closed; mkdir -p $(seq -s / 1 500)',
    );
    await removeFolder(odd.folders.root);
    expect(() => readFileSync(odd.folders.root)).toThrow('ENOENT');
  });

  it('leaves programs that run as another user where no other user finds them', async () => {
    await job.sh('cp /usr/bin/id id; chmod 4755 id');
    expect(statSync(job.folders.root).mode & 0o777).toBe(0o700);
  });

  it.each(['..', '../..', '/', 'a/../../b', '../repository'])('runs in no folder %j', async (cwd) => {
    await expect(job.sh('pwd', { cwd })).rejects.toThrow(RangeError);
  });

  it('says that a program does not exist', async () => {
    await expect(job.run(['no-such-program'])).resolves.toMatchObject({
      exitCode: 127,
      output: expect.stringContaining('not found'),
    });
  });

  it.each([
    '/',
    '/root',
    '/home',
    '/home/someone',
    '/run',
    '/var/run',
    '/etc',
    '/etc/ssl',
    '/proc',
    '/tmp',
    '/var',
  ])('never shows %s, whatever the operator sets', async (path) => {
    await expect(openJob({ readOnly: [path] })).rejects.toThrow(/Builds cannot be shown|does not exist/);
  });

  it('never shows the folder of the jobs', async () => {
    const { folders } = job;
    const sandbox = new BubblewrapSandbox({ ...options, readOnly: [dirname(folders.root)] });
    await expect(sandbox.open(folders)).rejects.toThrow('Builds cannot be shown');
  });
});

describeSandbox('sockets of the machine', () => {
  const name = newMark();
  const folder = join(tmpdir(), name);
  const paths = [`/run/${name}.sock`, `/var/run/${name}-2.sock`, join(folder, 'docker.sock'), `\0${name}`];
  let servers: Server[];
  let job: Job;

  beforeAll(async () => {
    mkdirSync(folder);
    servers = await Promise.all(paths.map(listen)).then((all) => all.filter((server) => server !== null));
    job = await openJob();
  });
  afterAll(async () => {
    servers.forEach((server) => server.close());
    rmSync(folder, { recursive: true });
    await removeFolder(job.folders.root);
  });

  it('are out of reach, by path and by abstract name', async () => {
    expect(servers.length).toBeGreaterThanOrEqual(2);
    const program = `for (const path of JSON.parse(process.argv[1])) {
      require('node:net').connect(path).on('connect', () => console.log('reached', path)).on('error', (e) => console.log(e.code));
    }`;
    const { output, exitCode } = await job.node(program, JSON.stringify(paths));
    expect(exitCode).toBe(0);
    expect(output.trim().split('\n').sort()).toEqual(['ECONNREFUSED', 'ENOENT', 'ENOENT', 'ENOENT']);
  });
});

/** @returns `null` where this user may not make a socket */
async function listen(path: string): Promise<Server | null> {
  const server = createServer((socket) => socket.end('reached'));
  return new Promise((resolve) => {
    server.on('error', () => resolve(null));
    server.listen(path, () => resolve(server));
  });
}

async function readCommandLines(): Promise<string> {
  const { readdir, readFile } = await import('node:fs/promises');
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(lines)).join('\n');
}
