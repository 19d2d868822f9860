import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { send, type Reply } from '../stand-in/reply.ts';
import { serveCall } from '../stand-in/serve-call.ts';
import { administer } from './admin.ts';
import { GoogleError, notFound, replyOf } from './google-error.ts';
import type { GooglePlay } from './google-play.ts';
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
  const url = new URL(request.url ?? '', play.url);
  const method = request.method ?? '';
  if (url.pathname.startsWith('/admin/')) {
    return send(response, await administer(play, method, url, parseBody(await text(request))));
  }
  const call = method === 'POST' && url.pathname === '/token' ? 'token' : callOf(method, url).call;
  const body = call === 'putChunk' ? undefined : await text(request);
  await serveCall(play, { call, request, response, url, body }, (chunk) =>
    replyTo(play, { call, request, url, body, chunk }),
  );
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
