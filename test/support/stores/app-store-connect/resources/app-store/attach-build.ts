import type { Reply } from '../../../stand-in/reply.ts';
import { type AppleError, invalidRelationship, pointerTo, refused } from '../../apple-error.ts';
import type { AppStoreConnect } from '../../app-store-connect.ts';
import { isEditable, type StoreVersion } from '../../state/app-store/store-version.ts';
import { type Build, isComplianceOpen } from '../../state/builds.ts';
import { normalized } from '../../state/uploads.ts';
import { readRelated } from '../body.ts';
import { oneOf } from '../document.ts';
import type { ConnectRequest } from '../handle.ts';
import { toBuild, toPlainVersion } from '../present.ts';
import { buildOf } from '../builds.ts';

/** The words: tramlinehq/store-quirks 3, and logs in public issues. */
export function notAcceptable(): AppleError {
  return refused(
    409,
    'ENTITY_ERROR.RELATIONSHIP.INVALID',
    'A relationship value is not acceptable for the current resource state.',
    'The specified pre-release build could not be added.',
    pointerTo('/data/relationships/build'),
  );
}

/**
 * Gives a version its build. After a rejection, another build makes the version editable again as if it was new.
 *
 * @throws AppleError 409: it is locked; just processed; of another version; compliance is open; another version has it
 */
export function attach({ review }: AppStoreConnect, version: StoreVersion, build: Build): void {
  if (version.lockedEdits > 0) {
    version.lockedEdits -= 1;
    throw notAcceptable();
  }
  // A version in a review submission has its build frozen.
  if (!isEditable(version)) throw notAcceptable();
  if (review.attachRefusals > 0) {
    review.attachRefusals -= 1;
    throw notAcceptable();
  }
  const isFitting =
    build.app === version.app &&
    build.platform === version.platform &&
    normalized(build.version) === normalized(version.versionString) &&
    build.processingState === 'VALID' &&
    !build.isExpired &&
    !isComplianceOpen(build) &&
    !version.app.versions.some((one) => one !== version && one.build === build);
  if (!isFitting) throw notAcceptable();
  if (version.build !== build) version.state = 'PREPARE_FOR_SUBMISSION';
  version.build = build;
}

/** The build of a relationship. @throws AppleError 409 */
export function findBuild({ state, key }: ConnectRequest, id: string): Build {
  try {
    return state.build(key.team, id);
  } catch {
    throw invalidRelationship('build', `There is no resource of type 'builds' with id '${id}'`);
  }
}

/** `PATCH /v1/appStoreVersions/{id}/relationships/build`. */
export function attachBuild(request: ConnectRequest): Reply {
  const { connect, state, key, id, body } = request;
  const version = state.version(key.team, id);
  attach(connect, version, findBuild(request, readRelated(body, 'builds')));
  return { status: 204 };
}

/** `GET /v1/appStoreVersions/{id}/relationships/build`. */
export function getLinkedBuild({ state, key, id, url }: ConnectRequest): Reply {
  const { build } = state.version(key.team, id);
  const data = build === null ? null : { type: 'builds', id: build.id };
  return { status: 200, body: { data, links: { self: url.href } } };
}

/** `GET /v1/appStoreVersions/{id}/build`. */
export function getVersionBuild(request: ConnectRequest): Reply {
  const { state, key, id, query, url } = request;
  const { build } = state.version(key.team, id);
  if (build === null) return { status: 200, body: { data: null, links: { self: url.href } } };
  return oneOf(toBuild(build), query, request);
}

/** `GET /v1/builds/{id}/appStoreVersion`. */
export function getBuildVersion(request: ConnectRequest): Reply {
  const build = buildOf(request);
  const version = build.app.versions.find((one) => one.build === build);
  if (version === undefined) return { status: 200, body: { data: null, links: { self: request.url.href } } };
  return oneOf(toPlainVersion(version), request.query, request);
}
