import type { ServerResponse } from 'node:http';
import { type Reply, send } from './reply.ts';

/** What happens to a call that the store does not refuse. */
export type FaultKind =
  /** The connection ends before the call does anything. */
  | 'cut'
  /** The call does its work, and the connection ends instead of an answer. */
  | 'lost-response'
  /** No answer, and the call does nothing. */
  | 'hang'
  /** A page of a proxy instead of an answer; the call does nothing. */
  | 'html'
  /** The same with sequences of terminals and marks of direction, in its header, too. */
  | 'escapes'
  /** Another address instead of an answer, on a host that does not exist; the call does nothing. */
  | 'redirect'
  /** The call does its work, and the answer is: half of the JSON, JSON with other types, nothing, or without an end. */
  | 'truncated'
  | 'wrong-types'
  | 'empty'
  | 'endless';

/** When a fault happens. */
export interface FaultTime<Call extends string> {
  readonly call?: Call;
  /** Only calls with this part in their path, such as the id of an app. */
  readonly about?: string;
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

/** @template Special what else can happen to calls of a store */
export interface Fault<Special> {
  /** An answer instead of the call. */
  readonly refuse?: () => Reply;
  readonly kind?: FaultKind;
  readonly special?: Special;
  readonly hold?: { readonly when: 'before' | 'after'; readonly wait: () => Promise<void> };
}

interface Planned<Call, Special> {
  readonly fault: Fault<Special>;
  readonly call: Call | null;
  readonly about: string | null;
  times: number;
  after: number;
}

/** What goes wrong, and when. */
export class Faults<Call extends string, Special = never> {
  private readonly planned: Planned<Call, Special>[] = [];

  /** Adds a fault; those that were added first happen first. */
  add(fault: Fault<Special>, time: FaultTime<Call>): void {
    const { call = null, about = null, times = 1, after = 0 } = time;
    this.planned.push({ fault, call, about, times, after });
  }

  /** The calls of those that have not happened yet; empty: of any call. */
  get waiting(): string[] {
    return this.planned.map(({ call }) => call ?? '');
  }

  clear(): void {
    this.planned.length = 0;
  }

  /** @param when before or after the call does its work */
  hold(time: FaultTime<Call>, when: 'before' | 'after'): Hold {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const wait = (): Promise<void> => {
      arrived.resolve();
      return released.promise;
    };
    this.add({ hold: { when, wait } }, time);
    return { arrived: arrived.promise, release: () => released.resolve() };
  }

  /** The fault of this call, which is used up by it. */
  take(call: Call, path: string): Fault<Special> | null {
    const matching = this.planned.filter(
      (one) =>
        (one.call === null || one.call === call) &&
        (one.about === null || path.split('/').includes(one.about)),
    );
    for (const one of matching) {
      if (one.after > 0) {
        one.after -= 1;
        continue;
      }
      one.times -= 1;
      if (one.times <= 0) this.planned.splice(this.planned.indexOf(one), 1);
      return one.fault;
    }
    return null;
  }
}

/** Whether a call with this fault does nothing. */
export function isBefore(kind: FaultKind | undefined): boolean {
  return kind === 'cut' || kind === 'hang' || kind === 'html' || kind === 'escapes' || kind === 'redirect';
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
    case 'escapes':
      return send(response, {
        status: 503,
        headers: { 'Content-Type': 'text/html; charset=utf-8', Server: 'a\x9b2Jb' },
        body: '<h1>a\x1b[2Jb\x1b]0;title\x07c\x9b31md\u202ee\u2066f\x7f</h1>\r\n\tg',
      });
    case 'redirect':
      return send(response, { status: 307, headers: { Location: 'https://elsewhere.example/v1' } });
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
