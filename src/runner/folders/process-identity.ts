import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** One process, also after its number was given to another one. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system says. */
  readonly started: string;
  /** Where its number means something: one start of one machine, and one container. */
  readonly place: string;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) ?? '', place: place() };
}

/** @returns `null`: it is on another machine or in another container, or was before a restart */
export function isAlive(identity: ProcessIdentity): boolean | null {
  if (identity.place !== place()) return null;
  return startOf(identity.pid) === identity.started;
}

/** Reads what `JSON.stringify` made of an identity. @returns `null`: it is none */
export function parseIdentity(text: string): ProcessIdentity | null {
  try {
    const { pid, started, place } = JSON.parse(text) as Partial<ProcessIdentity>;
    const isIdentity = typeof pid === 'number' && typeof started === 'string' && typeof place === 'string';
    return isIdentity ? { pid, started, place } : null;
  } catch {
    return null;
  }
}

/** @returns `null`: no such process, or only its exit status is left */
function startOf(pid: number): string | null {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, can contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function place(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
