import type { IncomingMessage } from 'node:http';
import { apksOf, bundlesOf, commit, detailsOf, listingsOf, toAppEdit, validate } from './edits.ts';
import { forbidden, GoogleError, invalid, notFound } from '../google-error.ts';
import type { PlayState } from './play-state.ts';
import type { Reply } from '../../stand-in/reply.ts';
import type { ServiceAccount } from '../service-accounts.ts';
import { getTrack, listReleases, listTracks, updateTrack } from './tracks.ts';
import { startSymbols, startUpload } from './start-upload.ts';
import type { ChunkFault, Uploads } from './uploads.ts';

export type Call =
  | 'token'
  | 'insert'
  | 'getEdit'
  | 'deleteEdit'
  | 'details'
  | 'listings'
  | 'bundles'
  | 'apks'
  | 'tracks'
  | 'track'
  | 'updateTrack'
  | 'validate'
  | 'commit'
  | 'releases'
  | 'startUpload'
  | 'startSymbols'
  | 'putChunk'
  | 'unknown';

/** A request to the API, after it was authenticated. */
export interface PlayRequest {
  readonly call: Call;
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly body: unknown;
  /** `null`: a chunk without a token. */
  readonly account: ServiceAccount | null;
  readonly chunk: ChunkFault | undefined;
  /** The origin of upload addresses. */
  readonly uploadOrigin: string;
}

const APP = '/androidpublisher/v3/applications/([^/]+)';
const EDIT = `${APP}/edits/([^/:]+)`;

/** The methods of the API that it knows: https://developers.google.com/android-publisher/api-ref/rest */
const ROUTES: readonly (readonly [Call, string, string, readonly string[]])[] = [
  ['insert', 'POST', `${APP}/edits`, []],
  ['getEdit', 'GET', EDIT, []],
  ['deleteEdit', 'DELETE', EDIT, []],
  ['details', 'GET', `${EDIT}/details`, []],
  ['listings', 'GET', `${EDIT}/listings`, []],
  ['bundles', 'GET', `${EDIT}/bundles`, []],
  ['apks', 'GET', `${EDIT}/apks`, []],
  ['tracks', 'GET', `${EDIT}/tracks`, []],
  ['track', 'GET', `${EDIT}/tracks/([^/]+)`, []],
  ['updateTrack', 'PUT', `${EDIT}/tracks/([^/]+)`, []],
  ['validate', 'POST', `${EDIT}:validate`, []],
  ['commit', 'POST', `${EDIT}:commit`, ['changesNotSentForReview', 'changesInReviewBehavior']],
  ['releases', 'GET', `${APP}/tracks/([^/]+)/releases`, []],
  ['startUpload', 'POST', `/upload${EDIT}/(bundles|apks)`, ['uploadType', 'ackBundleInstallationWarning']],
  ['startSymbols', 'POST', `/upload${EDIT}/apks/(\\d+)/deobfuscationFiles/([^/]+)`, ['uploadType']],
];

/** Which call a request is; `parts` are the variable parts of its path. */
export function callOf(method: string, url: URL): { call: Call; parts: string[] } {
  if (method === 'PUT' && url.searchParams.has('upload_id')) return { call: 'putChunk', parts: [] };
  for (const [call, routeMethod, path] of ROUTES) {
    const found = new RegExp(`^${path}$`).exec(url.pathname);
    if (method === routeMethod && found !== null)
      return { call, parts: found.slice(1).map(decodeURIComponent) };
  }
  return { call: 'unknown', parts: [] };
}

/** @throws GoogleError for a parameter of the query that the method does not have */
export function checkQuery(call: Call, query: URLSearchParams): void {
  const known = ROUTES.find(([name]) => name === call)?.[3];
  // `alt` and `prettyPrint` belong to every method.
  const unknown = [...query.keys()].find((name) => ![...(known ?? []), 'alt', 'prettyPrint'].includes(name));
  if (known === undefined || unknown === undefined) return;
  throw invalid(
    `Invalid JSON payload received. Unknown name "${unknown}": Cannot bind query parameter. Field '${unknown}' could not be found in request message.`,
  );
}

/** Does what the call says. @throws GoogleError */
export async function handle(state: PlayState, uploads: Uploads, play: PlayRequest): Promise<Reply> {
  const { call, url, request, body, account } = play;
  if (call === 'putChunk') return uploads.put(request, url.searchParams.get('upload_id') ?? '', play.chunk);
  const [packageName = '', second = '', third = '', fourth = ''] = callOf(request.method ?? '', url).parts;
  const app = state.app(packageName);
  if (account?.rights.has(packageName) !== true) throw forbidden('The caller does not have permission');
  checkQuery(call, url.searchParams);
  if (call === 'releases') return ok(listReleases(app, second));
  if (call === 'insert') return ok(toAppEdit(state.insertEdit(app, account.email)));
  const edit = state.edit(app, second, account.email);
  switch (call) {
    case 'getEdit':
      return ok(toAppEdit(edit));
    case 'deleteEdit':
      edit.state = 'deleted';
      return { status: 204 };
    case 'details':
      return ok(detailsOf(edit));
    case 'listings':
      return ok(listingsOf(edit));
    case 'bundles':
      return ok(bundlesOf(edit));
    case 'apks':
      return ok(apksOf(edit));
    case 'tracks':
      return ok(listTracks(edit));
    case 'track':
      return ok(getTrack(edit, third));
    case 'updateTrack':
      return ok(updateTrack(edit, third, body));
    case 'validate':
      return ok(validate(edit));
    case 'commit':
      return ok(commit(state, edit, url.searchParams, account));
    case 'startUpload':
      return startUpload(state, uploads, play, edit, third === 'bundles' ? 'aab' : 'apk');
    case 'startSymbols':
      return startSymbols(state, uploads, play, edit, Number(third), fourth);
    default:
      throw notFound('The requested URL was not found on this server.');
  }
}

function ok(body: object): Reply {
  return { status: 200, body };
}

/** @throws GoogleError 400 */
export function parseBody(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new GoogleError(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received. Unexpected token.');
  }
}
