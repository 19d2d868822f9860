import type { Reply } from '../../stand-in/reply.ts';
import { invalidAttribute } from '../apple-error.ts';
import { type Build, pollBuild } from '../state/builds.ts';
import { appOf } from './apps.ts';
import { readBody } from './body.ts';
import { oneOf, pageOf } from './document.ts';
import type { ConnectRequest } from './handle.ts';
import { isOneOf, sorted } from './lists.ts';
import { toBetaDetail, toBuild } from './present.ts';

/** `GET /v1/builds`. A version is found by the spelling that came first only. */
export function listBuilds(request: ConnectRequest): Reply {
  const { state, key, query } = request;
  const found = state
    .appsOf(key.team)
    .filter(({ id }) => isOneOf(query.filter('app'), id))
    .flatMap(({ builds }) => builds)
    .filter((build) => isOneOf(query.filter('version'), build.buildNumber))
    .filter((build) => isOneOf(query.filter('preReleaseVersion.version'), build.version))
    .filter((build) => isOneOf(query.filter('preReleaseVersion.platform'), build.platform))
    .filter((build) => isOneOf(query.filter('expired'), String(build.isExpired)))
    .filter((build) =>
      isOneOf(query.filter('usesNonExemptEncryption'), String(build.usesNonExemptEncryption)),
    )
    .filter(() => isOneOf(query.filter('buildAudienceType'), 'APP_STORE_ELIGIBLE'))
    .filter((build) =>
      isOneOf(query.filter('betaAppReviewSubmission.betaReviewState'), build.review?.state ?? ''),
    )
    .filter((build) => isInGroups(build, query.filter('betaGroups')))
    .filter(({ id }) => isOneOf(query.filter('id'), id))
    .map(pollBuild)
    .filter((build) => isOneOf(query.filter('processingState'), build.processingState));
  return pageOf(sorted(found.map(toBuild), query), query, request, request.connect.hasEndlessPages);
}

function isInGroups({ id, app }: Build, groups: readonly string[] | null): boolean {
  return groups === null || app.groups.some((group) => groups.includes(group.id) && group.builds.has(id));
}

/** `GET /v1/apps/{id}/builds`. */
export function listAppBuilds(request: ConnectRequest): Reply {
  return pageOf(appOf(request).builds.map(pollBuild).map(toBuild), request.query, request);
}

/** `GET /v1/builds/{id}`. */
export function getBuild(request: ConnectRequest): Reply {
  return oneOf(toBuild(pollBuild(buildOf(request))), request.query, request);
}

/** `GET /v1/builds/{id}/buildBetaDetail`. */
export function getBetaDetail(request: ConnectRequest): Reply {
  return oneOf(toBetaDetail(pollBuild(buildOf(request))), request.query, request);
}

/** `PATCH /v1/builds/{id}`. */
export function updateBuild(request: ConnectRequest): Reply {
  const build = buildOf(request);
  const { attributes } = readBody(request.body, {
    type: 'builds',
    id: build.id,
    attributes: { 'expired?': 'boolean', 'usesNonExemptEncryption?': 'boolean' },
  });
  const { usesNonExemptEncryption: answer, expired } = attributes;
  if (typeof answer === 'boolean') {
    // The words: spaceship of fastlane/fastlane.
    if (build.usesNonExemptEncryption !== null)
      throw invalidAttribute('usesNonExemptEncryption', 'You cannot update when the value is already set.');
    build.usesNonExemptEncryption = answer;
  }
  if (expired === true) build.isExpired = true;
  return oneOf(toBuild(build), request.query, request);
}

export function buildOf({ state, key, id }: ConnectRequest): Build {
  return state.build(key.team, id);
}
