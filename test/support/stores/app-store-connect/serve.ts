import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Reply, send } from '../stand-in/reply.ts';
import { serveCall } from '../stand-in/serve-call.ts';
import { administer } from './admin.ts';
import { agreementMissing } from './api-keys.ts';
import { AppleError, noPath, refused, replyOf } from './apple-error.ts';
import type { AppStoreConnect } from './app-store-connect.ts';
import { HANDLERS } from './resources/handle.ts';
import { readQuery } from './resources/query.ts';
import { requireRole } from './resources/roles.ts';
import { callOf, ROUTES } from './resources/routes.ts';

/** Answers a request, unless a fault says otherwise. */
export async function serve(
  connect: AppStoreConnect,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '', connect.url);
  const body = await text(request);
  if (url.pathname.startsWith('/admin/'))
    return send(response, await administer(connect, request.method ?? '', url, parsed(body)));
  const { call } = callOf(request.method ?? '', url.pathname);
  await serveCall(connect, { call, request, response, url, body }, () =>
    replyTo(connect, request, url, body).catch((error: unknown) => {
      if (error instanceof AppleError) return replyOf(error);
      throw error;
    }),
  );
}

async function replyTo(
  connect: AppStoreConnect,
  request: IncomingMessage,
  url: URL,
  body: string,
): Promise<Reply> {
  const key = await connect.keys.authenticate(request.headers.authorization);
  connect.rates.count(key.keyId);
  if (key.team.lacksAgreement) throw agreementMissing();
  const { call, id } = callOf(request.method ?? '', url.pathname);
  if (call === 'unknown') throw noPath();
  requireRole(key, call);
  const query = readQuery(url.searchParams, ROUTES[call][2]);
  const { state } = connect;
  const json = bodyOf(request, body);
  return HANDLERS[call]({ connect, state, key, id: decodeURIComponent(id), url, query, body: json });
}

function bodyOf({ method, headers }: IncomingMessage, body: string): unknown {
  if (method === 'GET' || method === 'DELETE') return undefined;
  const [type] = (headers['content-type'] ?? '').split(';');
  if (type !== 'application/json' && type !== 'application/vnd.api+json')
    throw refused(415, 'UNSUPPORTED_MEDIA_TYPE', 'The content-type is not supported');
  return parsed(body);
}

/** @throws AppleError 400 */
function parsed(body: string): unknown {
  if (body === '') return {};
  try {
    return JSON.parse(body);
  } catch {
    throw refused(400, 'ENTITY_INVALID', 'JSON processing failed');
  }
}
