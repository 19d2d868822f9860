import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Check } from './check.js';
import { networkDeviceCheck } from './network/slirp.js';
import { SYSTEM_ENVIRONMENT } from './system-programs.js';

const run = promisify(execFile);

/** The programs that make a sandbox, and the Debian package of each. */
const PROGRAMS = {
  bwrap: 'bubblewrap',
  slirp4netns: 'slirp4netns',
  ip: 'iproute2',
  unshare: 'util-linux',
  setpriv: 'util-linux',
  prlimit: 'util-linux',
  ionice: 'util-linux',
  find: 'findutils',
  nice: 'coreutils',
  mkfifo: 'coreutils',
};

/** The first version of bubblewrap that can take further user namespaces away from builds. */
const BUBBLEWRAP = [0, 8] as const;

/** Whether this machine has the programs and the kernel settings for a sandbox. */
export async function requirementChecks(): Promise<Check[]> {
  if (process.platform !== 'linux') {
    const message = `Sandboxes need Linux, and this is ${process.platform}. Only repositories that you trust can be built here (--trust-repositories).`;
    return [{ name: 'sandbox', status: 'failed', message }];
  }
  const programs = Object.entries(PROGRAMS).map(([name, packageName]) => programCheck(name, packageName));
  return Promise.all([...programs, bubblewrapVersionCheck(), namespacesCheck(), networkDeviceCheck()]);
}

async function programCheck(name: string, packageName: string): Promise<Check> {
  try {
    const { stdout } = await run('/bin/sh', ['-c', 'command -v "$1"', 'sh', name], {
      env: SYSTEM_ENVIRONMENT,
    });
    return { name, status: 'ok', message: stdout.trim() };
  } catch {
    const message = `The program ${name} is missing: apt-get install ${packageName}`;
    return { name, status: 'failed', message };
  }
}

async function bubblewrapVersionCheck(): Promise<Check> {
  const name = 'bubblewrap version';
  const { stdout } = await run('bwrap', ['--version'], { env: SYSTEM_ENVIRONMENT }).catch(() => ({
    stdout: '',
  }));
  const [, version = 'unknown', major = '0', minor = '0'] = /((\d+)\.(\d+)\S*)/.exec(stdout) ?? [];
  const isNew = Number(major) > BUBBLEWRAP[0] || Number(minor) >= BUBBLEWRAP[1];
  if (isNew) return { name, status: 'ok', message: version };
  return {
    name,
    status: 'failed',
    message: `bubblewrap is ${version}: version ${BUBBLEWRAP.join('.')} or newer is needed.`,
  };
}

async function namespacesCheck(): Promise<Check> {
  const name = 'user namespaces';
  try {
    await run('unshare', ['--user', '--map-root-user', '--net', 'ip', 'link', 'set', 'lo', 'up'], {
      env: SYSTEM_ENVIRONMENT,
    });
    return { name, status: 'ok', message: 'An ordinary user can make them.' };
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    return { name, status: 'failed', message: await namespacesRemedy(stderr?.trim() ?? '') };
  }
}

async function namespacesRemedy(reason: string): Promise<string> {
  const setting = async (name: string) =>
    (await readFile(`/proc/sys/${name}`, 'utf8').catch(() => '')).trim();
  if ((await setting('kernel/apparmor_restrict_unprivileged_userns')) === '1') {
    return 'AppArmor keeps ordinary users from making user namespaces, as Ubuntu does since 24.04: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, and the same line in /etc/sysctl.d/60-slipway-runner.conf.';
  }
  if ((await setting('kernel/unprivileged_userns_clone')) === '0') {
    return 'The kernel keeps ordinary users from making user namespaces: sysctl -w kernel.unprivileged_userns_clone=1, and the same line in /etc/sysctl.d/60-slipway-runner.conf.';
  }
  if ((await setting('user/max_user_namespaces')) === '0') {
    return 'The kernel allows no user namespaces: sysctl -w user.max_user_namespaces=15000, and the same line in /etc/sysctl.d/60-slipway-runner.conf.';
  }
  return `User and network namespaces cannot be made here. In a container, this needs a seccomp profile that allows unshare and mount. ${reason}`.trim();
}
