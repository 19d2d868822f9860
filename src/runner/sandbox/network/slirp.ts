import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { INTERFACE, SANDBOX_NETWORK } from './routes.js';
import type { Check } from '../check.js';
import { SYSTEM_ENVIRONMENT } from '../system-programs.js';

/** By this, slirp4netns makes the interface of a sandbox. */
const DEVICE = '/dev/net/tun';

/** A connection of a network namespace to the machine's network. */
export interface Connection {
  /** Ends it. Fulfilled when its process is gone. */
  close(): Promise<void>;
}

/**
 * Connects the network namespace of a process by slirp4netns, which opens each connection of the sandbox as an ordinary
 * program of the machine. It ends with this process: its end of a pipe closes.
 *
 * @throws Error with what slirp4netns printed, or why the machine denies it its device
 */
export async function connectNetwork(pid: number): Promise<Connection> {
  const options = ['--configure', '--mtu=65520', '--disable-host-loopback', `--cidr=${SANDBOX_NETWORK}`];
  const hardening = ['--enable-sandbox', '--enable-seccomp'];
  const descriptors = ['--ready-fd=3', '--exit-fd=4', `--userns-path=/proc/${pid}/ns/user`];
  const child = spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', 'slirp4netns', ...options, ...hardening, ...descriptors, String(pid), INTERFACE],
    { env: SYSTEM_ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const exited = once(child, 'exit');
  const printed: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => printed.length < 100 && printed.push(chunk));
  const close = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const isReady = await Promise.race([
    once(readyOf(child), 'data').then(() => true),
    exited.then(() => false),
  ]);
  if (isReady) return { close };
  const { status, message } = await networkDeviceCheck();
  if (status === 'failed') throw new Error(message);
  throw new Error(`slirp4netns failed: ${Buffer.concat(printed).toString().trim()}`);
}

/** Whether this user may open the device of slirp4netns. */
export async function networkDeviceCheck(): Promise<Check> {
  const name = 'network device';
  try {
    const device = await open(DEVICE, 'r+');
    await device.close();
    return { name, status: 'ok', message: DEVICE };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const message = `The machine denies the runner ${DEVICE}, by which builds get their network (${code}): ${remedyOf(code)}.`;
    return { name, status: 'failed', message };
  }
}

function remedyOf(code: string): string {
  if (code === 'EACCES') return `chmod 666 ${DEVICE}, as udev does on most machines`;
  if (code === 'EPERM')
    return `start a container with --device ${DEVICE}, and a unit with DeviceAllow=${DEVICE} rw`;
  return `modprobe tun, and start a container with --device ${DEVICE}`;
}

function readyOf(child: ChildProcess): Readable {
  return child.stdio[3] as Readable;
}
