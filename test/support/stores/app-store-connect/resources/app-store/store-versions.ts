import type { Reply } from '../../../stand-in/reply.ts';
import {
  AppleError,
  type AppleErrorItem,
  invalidAttribute,
  invalidRelationship,
  item,
  lockedAttribute,
  pointerTo,
  wrongState,
} from '../../apple-error.ts';
import { pollSubmission, pollVersion } from '../../state/app-store/app-review.ts';
import { holderOf } from '../../state/app-store/review-submission.ts';
import {
  addVersion,
  isEditable,
  isLive,
  RELEASE_TYPES,
  type StoreVersion,
} from '../../state/app-store/store-version.ts';
import { type AppleApp, type Platform, PLATFORMS } from '../../state/connect-state.ts';
import { normalized } from '../../state/uploads.ts';
import { appOf } from '../apps.ts';
import { readBody } from '../body.ts';
import { attach, findBuild } from './attach-build.ts';
import { oneOf, pageOf } from '../document.ts';
import type { ConnectRequest } from '../handle.ts';
import { isOneOf } from '../lists.ts';
import { toStoreVersion } from './present-store.ts';

const ATTRIBUTES = {
  'copyright?': 'string',
  'reviewType?': ['APP_STORE', 'NOTARIZATION'],
  'releaseType?': RELEASE_TYPES,
  'earliestReleaseDate?': 'string',
  'usesIdfa?': 'boolean',
} as const;

/** A read of a version. */
export function polled({ connect }: ConnectRequest, version: StoreVersion): StoreVersion {
  const held = holderOf(version);
  if (held !== undefined) pollSubmission(held.submission, connect.review);
  return pollVersion(version, connect.review);
}

export function versionOf({ state, key, id }: ConnectRequest): StoreVersion {
  return state.version(key.team, id);
}

/** `GET /v1/apps/{id}/appStoreVersions`. Without `filter[platform]`, it answers all platforms. */
export function listStoreVersions(request: ConnectRequest): Reply {
  const { query } = request;
  const found = appOf(request)
    .versions.filter(({ platform }) => isOneOf(query.filter('platform'), platform))
    .filter(({ versionString }) => isOneOf(query.filter('versionString'), versionString))
    .filter(({ id }) => isOneOf(query.filter('id'), id))
    .map((version) => polled(request, version))
    .filter(({ state }) => isOneOf(query.filter('appVersionState'), state))
    .map(toStoreVersion)
    .filter(({ attributes }) => isOneOf(query.filter('appStoreState'), String(attributes['appStoreState'])));
  // The newest first, as `sort` is refused.
  return pageOf(found.toReversed(), query, request, request.connect.hasEndlessPages);
}

/** `GET /v1/appStoreVersions/{id}`. */
export function getStoreVersion(request: ConnectRequest): Reply {
  return oneOf(toStoreVersion(polled(request, versionOf(request))), request.query, request);
}

/**
 * `POST /v1/appStoreVersions`. A platform has one version that is not live. The errors: a response in the tests of
 * rorkai/App-Store-Connect-CLI, which has both of them.
 */
export function createStoreVersion(request: ConnectRequest): Reply {
  const { attributes, related } = readBody(request.body, {
    type: 'appStoreVersions',
    attributes: { platform: PLATFORMS, versionString: 'string', ...ATTRIBUTES },
    relationships: { app: 'apps', 'build?': 'builds' },
  });
  const app = request.state.appsOf(request.key.team).find(({ id }) => id === related['app']);
  if (app === undefined) throw invalidRelationship('app', `There is no app with id '${related['app']}'`);
  const platform = attributes['platform'] as Platform;
  const versionString = String(attributes['versionString']);
  const errors = creationErrors(app, platform, versionString);
  if (errors.length > 0) throw new AppleError(errors);
  const values = { platform, versionString, state: 'PREPARE_FOR_SUBMISSION' } as const;
  const releasing = releaseOf(attributes, { releaseType: 'AFTER_APPROVAL', earliestReleaseDate: null });
  const buildId = related['build'];
  const build = buildId == null ? null : findBuild(request, buildId);
  const version = addVersion(app, { ...values, ...releasing });
  if (build !== null) attach(request.connect, version, build);
  return oneOf(toStoreVersion(version), request.query, request, 201);
}

function creationErrors({ versions }: AppleApp, platform: Platform, versionString: string): AppleErrorItem[] {
  const own = versions.filter((one) => one.platform === platform);
  const errors: AppleErrorItem[] = [];
  if (own.some((one) => !isLive(one)))
    errors.push(
      ...invalidRelationship('app', 'You cannot create a new version of the App in the current state.')
        .errors,
    );
  if (own.some((one) => normalized(one.versionString) === normalized(versionString))) {
    const title = 'The provided entity includes an attribute with a value that has already been used';
    const detail = 'The version number has been previously used.';
    const pointer = pointerTo('/data/attributes/versionString');
    errors.push(item(409, 'ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE', title, detail, pointer));
  }
  return errors;
}

/** `PATCH /v1/appStoreVersions/{id}`. */
export function updateStoreVersion(request: ConnectRequest): Reply {
  const version = versionOf(request);
  const { attributes, related } = readBody(request.body, {
    type: 'appStoreVersions',
    id: version.id,
    attributes: { 'versionString?': 'string', 'downloadable?': 'boolean', ...ATTRIBUTES },
    relationships: { 'build?': 'builds' },
  });
  const [changed] = Object.keys(attributes);
  if (changed !== undefined) requireEditable(version, changed);
  const { versionString } = attributes;
  if (typeof versionString === 'string' && versionString !== version.versionString) {
    const others = version.app.versions.filter((one) => one !== version && one.platform === version.platform);
    if (others.some((one) => normalized(one.versionString) === normalized(versionString)))
      throw invalidAttribute('versionString', 'The version number has been previously used.', '.DUPLICATE');
    version.versionString = versionString;
    // Its build is of another train.
    if (version.build !== null && normalized(version.build.version) !== normalized(versionString))
      version.build = null;
  }
  Object.assign(version, releaseOf(attributes, version));
  const buildId = related['build'];
  if (buildId === null) version.build = null;
  else if (buildId !== undefined) attach(request.connect, version, findBuild(request, buildId));
  return oneOf(toStoreVersion(version), request.query, request);
}

/** @throws AppleError 409 */
export function requireEditable(version: StoreVersion, attribute: string): void {
  if (version.lockedEdits > 0) {
    version.lockedEdits -= 1;
    throw lockedAttribute(attribute);
  }
  if (!isEditable(version)) throw lockedAttribute(attribute);
}

type Releasing = Pick<StoreVersion, 'releaseType' | 'earliestReleaseDate'>;

/** How it is released. "Whole hours": expo/eas-cli `utils/date.ts`. */
function releaseOf(attributes: Readonly<Record<string, unknown>>, now: Releasing): Releasing {
  const releaseType = (attributes['releaseType'] ?? now.releaseType) as Releasing['releaseType'];
  const given = attributes['earliestReleaseDate'];
  if (releaseType !== 'SCHEDULED') {
    if (given != null) throw invalidAttribute('earliestReleaseDate', 'Only a scheduled release has a date.');
    return { releaseType, earliestReleaseDate: null };
  }
  const date = given === undefined ? now.earliestReleaseDate : new Date(String(given));
  if (date === null || Number.isNaN(date.getTime()))
    throw invalidAttribute('earliestReleaseDate', `'${String(given)}' is not a valid date.`);
  if (date.getTime() % 3_600_000 !== 0)
    throw invalidAttribute('earliestReleaseDate', 'The earliest release date must be on the hour.');
  if (date.getTime() < Date.now())
    throw invalidAttribute('earliestReleaseDate', 'The earliest release date must be in the future.');
  return { releaseType, earliestReleaseDate: date };
}

/** `DELETE /v1/appStoreVersions/{id}`: a version without a build that was never in review. */
export function deleteStoreVersion(request: ConnectRequest): Reply {
  const version = versionOf(request);
  const { app } = version;
  if (version.state !== 'PREPARE_FOR_SUBMISSION')
    throw wrongState(`A version can not be deleted in the state ${version.state}.`);
  if (version.build !== null) throw wrongState('A version cannot be deleted if any build has been uploaded');
  if (app.versions.filter(({ platform }) => platform === version.platform).length === 1)
    throw wrongState('The last version of an app cannot be deleted');
  app.versions.splice(app.versions.indexOf(version), 1);
  return { status: 204 };
}
