import type { Reply } from '../../stand-in/reply.ts';
import { refused, unprocessable } from '../apple-error.ts';
import type { BetaGroup } from '../state/connect-state.ts';
import { type Build, externalState, internalState } from '../state/builds.ts';
import { requireKnownToGroups } from './beta-reviews.ts';
import { readLinkage } from './body.ts';
import { buildOf } from './builds.ts';
import type { ConnectRequest } from './handle.ts';
import { requireManager } from './roles.ts';

const EXTERNALLY_ASSIGNABLE = [
  'WAITING_FOR_BETA_REVIEW',
  'IN_BETA_REVIEW',
  'BETA_APPROVED',
  'IN_BETA_TESTING',
];
const INTERNALLY_ASSIGNABLE = ['READY_FOR_BETA_TESTING', 'IN_BETA_TESTING'];

/** `GET /v1/betaGroups/{id}/relationships/builds`. */
export function listGroupBuilds({ state, key, id, url, query }: ConnectRequest): Reply {
  const { builds } = state.group(key.team, id);
  const data = [...builds].slice(0, query.limit).map((build) => ({ type: 'builds', id: build }));
  const paging = { total: builds.size, limit: query.limit };
  return { status: 200, body: { data, links: { self: url.href }, meta: { paging } } };
}

/** `POST /v1/betaGroups/{id}/relationships/builds`. */
export function addBuilds(request: ConnectRequest): Reply {
  const { state, key, id, body } = request;
  const group = state.group(key.team, id);
  const builds = readLinkage(body, 'builds').map((build) => state.build(key.team, build));
  for (const build of builds) checkAssignment(request, group, build);
  for (const build of builds) group.builds.add(build.id);
  return { status: 204 };
}

/** `POST /v1/builds/{id}/relationships/betaGroups`. */
export function addGroups(request: ConnectRequest): Reply {
  const { state, key, body } = request;
  const build = buildOf(request);
  const groups = readLinkage(body, 'betaGroups').map((group) => state.group(key.team, group));
  for (const group of groups) checkAssignment(request, group, build);
  for (const group of groups) group.builds.add(build.id);
  return { status: 204 };
}

/** The words: https://github.com/rorkai/App-Store-Connect-CLI/issues/761, https://github.com/fastlane/fastlane/issues/17394 */
function checkAssignment({ key }: ConnectRequest, group: BetaGroup, build: Build): void {
  if (!group.isInternal) requireManager(key);
  requireKnownToGroups(build);
  if (group.hasAccessToAllBuilds)
    throw refused(
      422,
      'ENTITY_UNPROCESSABLE',
      'Builds cannot be assigned to this internal group.',
      'Cannot add internal group to a build.',
    );
  if (build.app !== group.app) throw unprocessable('The build and the group are not of the same app.');
  const isAssignable = group.isInternal
    ? INTERNALLY_ASSIGNABLE.includes(internalState(build))
    : EXTERNALLY_ASSIGNABLE.includes(externalState(build));
  if (!isAssignable)
    throw refused(
      422,
      'ENTITY_UNPROCESSABLE',
      'Build is not assignable.',
      `Build is not in an ${group.isInternal ? 'internally' : 'externally'} assignable state.`,
    );
}
