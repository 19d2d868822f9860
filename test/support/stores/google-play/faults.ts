import type { ServerResponse } from 'node:http';
import type { GoogleError } from './google-error.ts';
import { type Reply, send } from './reply.ts';
import type { Call } from './publisher/routes.ts';
import type { ChunkFault } from './publisher/uploads.ts';

/** What happens to a call that Google Play does not refuse. */
export type FaultKind =
  /** The connection ends before the call does anything. */
  | 'cut'
  /** The call does its work, and the connection ends instead of an answer. */
  | 'lost-response'
  /** No answer, and the call does nothing. */
  | 'hang'
  /** A page of a proxy instead of an answer; the call does nothing. */
  | 'html'
  /** The call does its work, and the answer is: half of the JSON, JSON with other types, nothing, or without an end. */
  | 'truncated'
  | 'wrong-types'
  | 'empty'
  | 'endless';

/** When a fault happens. */
export interface FaultTime {
  readonly call?: Call;
  /** Only calls about this app. */
  readonly packageName?: string;
  /** How often: once, or `Infinity`. */
  readonly times?: number;
  /** How many calls go well before. */
  readonly after?: number;
}

/** A call that waits until the test lets it go on. */
export interface Hold {
  /** Resolves when the call has come. */
  readonly arrived: Promise<void>;
  release(): void;
}

interface Fault {
  readonly call: Call | null;
  readonly packageName: string | null;
  times: number;
  after: number;
  readonly error?: () => GoogleError;
  readonly kind?: FaultKind;
  readonly chunk?: ChunkFault;
  readonly hold?: { readonly when: 'before' | 'after'; readonly wait: () => Promise<void> };
}

/** What goes wrong, and when. */
export class Faults {
  private readonly faults: Fault[] = [];

  /** Adds a fault; those that were added first happen first. */
  add(fault: Pick<Fault, 'error' | 'kind' | 'chunk' | 'hold'>, time: FaultTime): void {
    const { call = null, packageName = null, times = 1, after = 0 } = time;
    this.faults.push({ ...fault, call, packageName, times, after });
  }

  clear(): void {
    this.faults.length = 0;
  }

  /** @param when before or after the call does its work */
  hold(time: FaultTime, when: 'before' | 'after'): Hold {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const wait = (): Promise<void> => {
      arrived.resolve();
      return released.promise;
    };
    this.add({ hold: { when, wait } }, time);
    return { arrived: arrived.promise, release: () => released.resolve() };
  }

  /** The fault of this call, which is used up by it. @param path with the name of the app, if it is about one */
  take(call: Call, path: string): Fault | null {
    const matching = this.faults.filter(
      (fault) =>
        (fault.call === null || fault.call === call) &&
        (fault.packageName === null || path.split('/').includes(fault.packageName)),
    );
    for (const fault of matching) {
      if (fault.after > 0) {
        fault.after -= 1;
        continue;
      }
      fault.times -= 1;
      if (fault.times <= 0) this.faults.splice(this.faults.indexOf(fault), 1);
      return fault;
    }
    return null;
  }
}

/** Whether a call with this fault does nothing. */
export function isBefore(kind: FaultKind | undefined): boolean {
  return kind === 'cut' || kind === 'hang' || kind === 'html';
}

/** Answers as the fault says. */
export function sendFaulty(response: ServerResponse, reply: Reply, kind: FaultKind): void {
  const text = typeof reply.body === 'object' ? JSON.stringify(reply.body) : (reply.body ?? '');
  switch (kind) {
    case 'cut':
    case 'lost-response':
      return void response.destroy();
    case 'hang':
      return;
    case 'html':
      return send(response, {
        status: 200,
        headers: { 'Content-Type': 'text/html; charset=utf-8' },
        body: '<!doctype html><title>Sign in to the network</title><h1>Welcome</h1>',
      });
    case 'truncated': {
      const headers = { ...reply.headers, 'Content-Type': 'application/json' };
      return send(response, { ...reply, headers, body: text.slice(0, Math.floor(text.length / 2)) });
    }
    case 'wrong-types':
      return send(response, { ...reply, body: mangled(JSON.parse(text || '{}')) as object });
    case 'empty':
      return send(response, { status: reply.status });
    case 'endless':
      response.writeHead(reply.status, { 'Content-Type': 'application/json' });
      return pour(response);
  }
}

/** Valid JSON in which nothing has its type. */
function mangled(value: unknown): unknown {
  if (Array.isArray(value)) return { items: value.map(mangled) };
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mangled(inner)]));
  }
  return typeof value === 'string' ? { text: value } : [String(value)];
}

function pour(response: ServerResponse): void {
  const text = ' '.repeat(64 * 1024);
  const write = (): void => {
    while (!response.destroyed && response.write(text));
  };
  response.on('drain', write);
  write();
}
