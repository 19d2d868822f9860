import { randomUUID } from 'node:crypto';
import type { Reply } from '../../stand-in/reply.ts';
import { invalidAttribute, refused, wrongState, pointerTo } from '../apple-error.ts';
import { pollUpload } from '../delivery/processing.ts';
import { type AppleApp, PLATFORMS, type Platform } from '../state/connect-state.ts';
import { type BuildUpload, normalized } from '../state/uploads.ts';
import { appOf } from './apps.ts';
import { readBody } from './body.ts';
import { oneOf, pageOf } from './document.ts';
import type { ConnectRequest } from './handle.ts';
import { isOneOf, sorted } from './lists.ts';
import { toUpload } from './present.ts';

/** https://developer.apple.com/documentation/bundleresources/information-property-list/cfbundleversion */
const NUMBERS = /^\d+(\.\d+){0,2}$/;

/** `POST /v1/buildUploads`. */
export function createBuildUpload(request: ConnectRequest): Reply {
  const { attributes, related } = readBody(request.body, {
    type: 'buildUploads',
    attributes: { cfBundleShortVersionString: 'string', cfBundleVersion: 'string', platform: PLATFORMS },
    relationships: { app: 'apps' },
  });
  const app = findApp(request, related['app'] ?? '');
  const [version, buildNumber] = ['cfBundleShortVersionString', 'cfBundleVersion'].map((name) => {
    const value = String(attributes[name]);
    if (NUMBERS.test(value)) return value;
    throw invalidAttribute(name, `'${value}' is not valid: it must be one to three numbers with dots`);
  });
  const platform = attributes['platform'] as Platform;
  if (isUsed(app, platform, version ?? '', buildNumber ?? '', request.connect.blocksUnfinishedUploads)) {
    // The code: `AscApiUtils.ts` of expo/eas-cli.
    throw invalidAttribute(
      'cfBundleVersion',
      `The build number '${buildNumber}' has already been used for the version '${version}'.`,
      '.DUPLICATE',
    );
  }
  const upload: BuildUpload = {
    id: randomUUID(),
    app,
    platform,
    version: version ?? '',
    buildNumber: buildNumber ?? '',
    createdAt: new Date(),
    uploadedAt: null,
    state: 'AWAITING_UPLOAD',
    errors: [],
    warnings: [],
    file: null,
    build: null,
    namesBuild: false,
    pollsLeft: 0,
    busyUntil: 0,
    namesBuildIn: 0,
    finish: null,
  };
  app.uploads.push(upload);
  return oneOf(toUpload(upload), request.query, request, 201);
}

/** Refused uploads use no number up. */
function isUsed(
  app: AppleApp,
  platform: Platform,
  version: string,
  buildNumber: string,
  blocksUnfinished: boolean,
): boolean {
  const same = (one: Pick<BuildUpload, 'platform' | 'version' | 'buildNumber'>): boolean =>
    one.platform === platform &&
    normalized(one.version) === normalized(version) &&
    normalized(one.buildNumber) === normalized(buildNumber);
  const uploads = app.uploads.filter(
    ({ state }) => state !== 'FAILED' && (blocksUnfinished || state !== 'AWAITING_UPLOAD'),
  );
  return uploads.some(same) || app.builds.some(same);
}

function findApp({ state, key }: ConnectRequest, id: string): AppleApp {
  const app = state.appsOf(key.team).find((one) => one.id === id);
  if (app !== undefined) return app;
  throw refused(
    409,
    'ENTITY_ERROR.RELATIONSHIP.INVALID',
    'The provided entity includes a relationship with an invalid value',
    `There is no resource of type 'apps' with id '${id}'`,
    pointerTo('/data/relationships/app'),
  );
}

/** `GET /v1/buildUploads/{id}`. */
export function getBuildUpload(request: ConnectRequest): Reply {
  const upload = request.state.upload(request.key.team, request.id);
  pollUpload(upload);
  return oneOf(toUpload(upload), request.query, request);
}

/** `DELETE /v1/buildUploads/{id}`. What it does with uploads that were delivered is not documented. */
export function deleteBuildUpload(request: ConnectRequest): Reply {
  const upload = request.state.upload(request.key.team, request.id);
  if (upload.state === 'PROCESSING' || upload.state === 'COMPLETE') {
    throw wrongState(`The build upload can not be deleted in the state ${upload.state}.`);
  }
  upload.app.uploads.splice(upload.app.uploads.indexOf(upload), 1);
  if (upload.file !== null) request.connect.storage.files.delete(upload.file.id);
  return { status: 204 };
}

/** `GET /v1/apps/{id}/buildUploads`. */
export function listBuildUploads(request: ConnectRequest): Reply {
  const { query } = request;
  const found = appOf(request)
    .uploads.filter(({ version }) => isOneOf(query.filter('cfBundleShortVersionString'), version))
    .filter(({ buildNumber }) => isOneOf(query.filter('cfBundleVersion'), buildNumber))
    .filter(({ platform }) => isOneOf(query.filter('platform'), platform))
    .filter(({ state }) => isOneOf(query.filter('state'), state));
  for (const upload of found) pollUpload(upload);
  return pageOf(sorted(found.map(toUpload), query), query, request, request.connect.hasEndlessPages);
}
