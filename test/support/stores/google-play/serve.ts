import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { administer } from './admin.ts';
import { isBefore, sendFaulty } from './faults.ts';
import { GoogleError, notFound } from './google-error.ts';
import type { GooglePlay, PlayCall } from './google-play.ts';
import { type Reply, send } from './reply.ts';
import { type Call, callOf, handle, parseBody } from './publisher/routes.ts';
import type { ChunkFault } from './publisher/uploads.ts';

/** A request on its way. */
interface Exchange {
  readonly call: Call;
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly body: string | undefined;
  readonly chunk: ChunkFault | undefined;
}

/** Answers a request, unless a fault says otherwise. */
export async function serve(
  play: GooglePlay,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Connections that end early are part of the game.
  request.on('error', () => undefined);
  const url = new URL(request.url ?? '', play.url);
  const method = request.method ?? '';
  if (url.pathname.startsWith('/admin/')) {
    return send(response, await administer(play, method, url, parseBody(await text(request))));
  }
  const call = method === 'POST' && url.pathname === '/token' ? 'token' : callOf(method, url).call;
  const body = call === 'putChunk' ? undefined : await text(request);
  const { headers } = request;
  const entry: PlayCall = { call, method, path: url.pathname, query: url.search, headers, body, status: 0 };
  play.calls.push(entry);
  await sleep(play.latency);
  const { error, kind, chunk, hold } = play.faults.take(call, url.pathname) ?? {};
  if (hold?.when === 'before') await hold.wait();
  const exchange = { call, request, url, body, chunk };
  const reply =
    error !== undefined ? replyOf(error()) : isBefore(kind) ? { status: 0 } : await replyTo(play, exchange);
  if (hold?.when === 'after') await hold.wait();
  if (response.destroyed) return;
  entry.status = reply.status;
  // What is left of a refused upload is read, so that the client gets the answer.
  request.resume();
  return kind === undefined ? send(response, reply) : sendFaulty(response, reply, kind);
}

async function replyTo(play: GooglePlay, exchange: Exchange): Promise<Reply> {
  const { call, request, body } = exchange;
  try {
    if (call === 'token') return await play.accounts.token(new URLSearchParams(body));
    if (call === 'unknown') throw notFound('The requested URL was not found on this server.');
    const { authorization } = request.headers;
    // The address of an upload is its own secret; a token that comes with it must be valid.
    const isAnonymous = call === 'putChunk' && authorization === undefined;
    const account = isAnonymous ? null : play.accounts.authenticate(authorization);
    const json = body === undefined ? undefined : parseBody(body);
    const uploadOrigin = play.uploadOrigin ?? play.url;
    return await handle(play.state, play.uploads, { ...exchange, body: json, account, uploadOrigin });
  } catch (error) {
    if (error instanceof GoogleError) return replyOf(error);
    throw error;
  }
}

function replyOf({ code, body, headers }: GoogleError): Reply {
  return { status: code, body, headers };
}
