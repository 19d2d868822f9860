import { spawnSync } from 'node:child_process';
import type { StartOptions } from '../../setup/server.js';

/** A command in a mount namespace of its own, which Linux gives to every user unless it is configured otherwise. */
const NAMESPACE = ['unshare', '--user', '--map-root-user', '--mount'] as const;

/** Whether this machine can mount a file system for a server. Containers often cannot. */
export const canMount =
  spawnSync(NAMESPACE[0], [...NAMESPACE.slice(1), 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** Starts a server whose `DATA_DIR` is a file system of its own, which no other process sees. @param size such as `16m` */
export function onOwnDisk(size: string): StartOptions {
  const mount = `mount -t tmpfs -o mode=700,size=${size} none "$DATA_DIR" && exec "$@"`;
  return { under: [...NAMESPACE, 'sh', '-c', mount, 'sh'] };
}

/** The same with a file system that cannot be written. */
export function onReadOnlyDisk(): StartOptions {
  return { under: [...NAMESPACE, 'sh', '-c', 'mount -t tmpfs -o ro none "$DATA_DIR" && exec "$@"', 'sh'] };
}

/** Runs a command where that server runs, such as `mount -o remount,ro "$DATA_DIR"`. @throws Error when it fails */
export function runBeside(pid: number, dataDir: string, script: string): void {
  const args = ['--target', String(pid), '--user', '--mount', '--preserve-credentials', 'sh', '-c', script];
  const { status, stderr } = spawnSync('nsenter', args, { env: { ...process.env, DATA_DIR: dataDir } });
  if (status !== 0) throw new Error(`${script}: ${stderr.toString()}`);
}
