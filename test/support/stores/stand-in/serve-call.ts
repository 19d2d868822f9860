import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBefore, sendFaulty } from './faults.ts';
import { type Reply, send } from './reply.ts';
import type { StandIn, StoreCall } from './stand-in.ts';

/** A call on its way. */
export interface Exchange<Call extends string> {
  readonly call: Call;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** `undefined`: the work of the call reads it. */
  readonly body: string | undefined;
}

/** Keeps a call, does its work, and answers, unless a fault says otherwise. */
export async function serveCall<Call extends string, Special>(
  standIn: StandIn<Call, Special>,
  { call, request, response, url, body }: Exchange<Call>,
  work: (special: Special | undefined) => Promise<Reply>,
): Promise<void> {
  const { headers, method = '' } = request;
  const { pathname: path, search: query } = url;
  const entry: StoreCall<Call> = { call, method, path, query, headers, body, status: 0 };
  standIn.calls.push(entry);
  await sleep(standIn.latency);
  const { refuse, kind, special, hold } = standIn.faults.take(call, path) ?? {};
  if (hold?.when === 'before') {
    await hold.wait();
    // The server was killed: its call never came, so that only a repetition of it does the work.
    if (response.destroyed) return;
  }
  const reply = standIn.finish(
    refuse !== undefined ? refuse() : isBefore(kind) ? { status: 0 } : await work(special),
    request,
  );
  if (hold?.when === 'after') await hold.wait();
  if (response.destroyed) return;
  entry.status = reply.status;
  // What is left of a refused upload is read, so that the client gets the answer.
  request.resume();
  return kind === undefined ? send(response, reply) : sendFaulty(response, reply, kind);
}
