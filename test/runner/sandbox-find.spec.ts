import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { SandboxOptions } from '../../src/runner/sandbox/sandbox-options.js';
import {
  describeSandbox,
  hasSandbox,
  makeFolders,
  options,
  programOf,
} from '../support/runners/sandbox/jobs.js';

const describeAsRoot = hasSandbox && process.getuid?.() === 0 ? describe : describe.skip;

/** Hides programs in a mount namespace: an empty file cannot be started. */
function hide(...paths: readonly string[]): string[] {
  const mounts = paths.map((path) => `mount --bind /dev/null ${path}`).join(' && ');
  return ['unshare', '--mount', 'sh', '-c', `${mounts} && exec "$@"`, 'sh'];
}

function findSandbox(settings: Partial<SandboxOptions>, prefix: readonly string[] = []): string {
  const [program = '', ...rest] = [...prefix, ...programOf('print-sandbox.ts', { ...options, ...settings })];
  return execFileSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

describeSandbox('the sandbox of a machine', () => {
  it('is bubblewrap where it works, also if repositories are trusted', () => {
    expect(findSandbox({})).toBe('bubblewrap');
    expect(findSandbox({ trustRepositories: true })).toBe('bubblewrap');
  });

  it.each([
    [{ allow: ['*.corp.example.com'] }, 'SandboxSettingError: RUNNER_ALLOW has "*.corp.example.com"'],
    [{ readOnly: ['/no/such/folder'] }, 'SandboxSettingError: The folder /no/such/folder'],
    [{ readOnly: ['/'] }, 'SandboxSettingError: Builds cannot be shown /'],
  ])('is none with wrong settings: %j', (settings, message) => {
    expect(findSandbox(settings)).toContain(message);
  });
});

describeAsRoot('a machine without a sandbox', () => {
  it('is named with the programs that are missing, and their packages', () => {
    const output = findSandbox({}, hide('/usr/bin/slirp4netns', '/usr/bin/bwrap'));
    expect(output).toContain('NoSandboxError: Builds cannot be kept apart on this machine');
    expect(output).toContain('The program bwrap is missing: apt-get install bubblewrap');
    expect(output).toContain('The program slirp4netns is missing: apt-get install slirp4netns');
    expect(output).toContain('--trust-repositories');
  });

  it.each([
    ['is missing', 'mount -t tmpfs none /dev/net', /\(ENOENT\): modprobe tun, .* --device \/dev\/net\/tun\./],
    ['may not be opened', 'mount -o remount,bind,nodev /dev/net', /\(EACCES\): chmod 666 \/dev\/net\/tun,/],
  ])(
    'is named with the device of the network that %s, before and after the start',
    (_title, deny, message) => {
      const script = `mount --bind /dev/net /dev/net && ${deny} && exec "$@"`;
      const prefix = ['unshare', '--mount', 'sh', '-c', script, 'sh'];
      const words = new RegExp(`The machine denies the runner /dev/net/tun, .*${message.source}`);
      expect(findSandbox({}, prefix)).toMatch(words);
      const { root } = makeFolders(tmpdir());
      const [program = '', ...rest] = [
        ...prefix,
        ...programOf('one-command.ts', { root, script: 'true', options }),
      ];
      const { status, stderr } = spawnSync(program, rest, { encoding: 'utf8' });
      rmSync(root, { recursive: true });
      expect(status).not.toBe(0);
      expect(stderr).toMatch(words);
    },
  );

  it('builds only with trusted repositories', () => {
    expect(findSandbox({ trustRepositories: true }, hide('/usr/bin/bwrap'))).toBe('none');
  });

  it('is named with the setting of the kernel that forbids user namespaces', () => {
    const forbid = ['unshare', '--user', '--map-root-user', 'sh', '-c'];
    const script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
    expect(findSandbox({}, [...forbid, script, 'sh'])).toContain('sysctl -w user.max_user_namespaces=15000');
  });
});
