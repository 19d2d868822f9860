import { randomUUID } from 'node:crypto';
import type { Reply } from '../../../stand-in/reply.ts';
import { invalidAttribute, noResource, wrongState } from '../../apple-error.ts';
import { beginDistribution } from '../../state/app-store/app-review.ts';
import {
  addPhasedRelease,
  isFirst,
  isLive,
  type PhasedRelease,
  PHASED_STATES,
  type StoreVersion,
} from '../../state/app-store/store-version.ts';
import { readBody } from '../body.ts';
import { oneOf } from '../document.ts';
import type { ConnectRequest } from '../handle.ts';
import { toPhasedRelease } from './present-store.ts';
import { polled, versionOf } from './store-versions.ts';
import { findVersion } from './version-localizations.ts';

/** What each state becomes: https://developer.apple.com/documentation/appstoreconnectapi/phasedreleasestate */
const NEXT: Readonly<Record<PhasedRelease['state'], readonly PhasedRelease['state'][]>> = {
  INACTIVE: [],
  ACTIVE: ['PAUSED', 'COMPLETE'],
  PAUSED: ['ACTIVE', 'COMPLETE'],
  COMPLETE: [],
};

/** `GET /v1/appStoreVersions/{id}/appStoreVersionPhasedRelease`. */
export function getPhasedRelease(request: ConnectRequest): Reply {
  const { phasedRelease } = polled(request, versionOf(request));
  if (phasedRelease === null) return { status: 200, body: { data: null, links: { self: request.url.href } } };
  return oneOf(toPhasedRelease(phasedRelease), request.query, request);
}

/** `POST /v1/appStoreVersionPhasedReleases`. The codes of its refusals are not known. */
export function createPhasedRelease(request: ConnectRequest): Reply {
  const { attributes, related } = readBody(request.body, {
    type: 'appStoreVersionPhasedReleases',
    attributes: { 'phasedReleaseState?': PHASED_STATES },
    relationships: { appStoreVersion: 'appStoreVersions' },
  });
  const version = findVersion(request, related['appStoreVersion'] ?? '');
  const state = attributes['phasedReleaseState'] ?? 'INACTIVE';
  if (state !== 'INACTIVE')
    throw invalidAttribute('phasedReleaseState', `A phased release can not begin as ${String(state)}.`);
  if (isFirst(version)) throw wrongState('The first version of an app can not have a phased release.');
  if (isLive(version)) throw wrongState('A version that is live can not get a phased release.');
  if (version.phasedRelease !== null) throw wrongState('The version has a phased release already.');
  return oneOf(toPhasedRelease(addPhasedRelease(version)), request.query, request, 201);
}

/** `PATCH /v1/appStoreVersionPhasedReleases/{id}`. The words: tramlinehq/applelink `spaceship/wrapper_error.rb`. */
export function updatePhasedRelease(request: ConnectRequest): Reply {
  const phased = phasedOf(request);
  const { attributes } = readBody(request.body, {
    type: 'appStoreVersionPhasedReleases',
    id: phased.id,
    attributes: { 'phasedReleaseState?': PHASED_STATES },
  });
  const state = attributes['phasedReleaseState'] as PhasedRelease['state'] | undefined;
  if (state !== undefined) {
    if (phased.state === state)
      throw invalidAttribute('phasedReleaseState', 'The phased release already has this value');
    if (phased.state === 'COMPLETE')
      throw invalidAttribute('phasedReleaseState', 'The phased release is in its final state');
    if (!NEXT[phased.state].includes(state))
      throw invalidAttribute(
        'phasedReleaseState',
        `A phased release that is ${phased.state} can not become ${state}.`,
      );
    phased.state = state;
  }
  return oneOf(toPhasedRelease(phased), request.query, request);
}

/** `DELETE /v1/appStoreVersionPhasedReleases/{id}`: before it begins. */
export function deletePhasedRelease(request: ConnectRequest): Reply {
  const phased = phasedOf(request);
  if (phased.state !== 'INACTIVE') throw wrongState('A phased release that has begun can not be deleted.');
  phased.version.phasedRelease = null;
  return { status: 204 };
}

/** `POST /v1/appStoreVersionReleaseRequests`: an approved version goes to the App Store. The code is not known. */
export function releaseVersion(request: ConnectRequest): Reply {
  const { related } = readBody(request.body, {
    type: 'appStoreVersionReleaseRequests',
    relationships: { appStoreVersion: 'appStoreVersions' },
  });
  const version = findVersion(request, related['appStoreVersion'] ?? '');
  if (version.state !== 'PENDING_DEVELOPER_RELEASE')
    throw wrongState(
      `The version is not in a state in which it can be released, but in ${version.state}.`,
      'STATE_ERROR.ENTITY_STATE_INVALID',
    );
  beginDistribution(version, request.connect.review.liveReads);
  const made = { type: 'appStoreVersionReleaseRequests', id: randomUUID(), attributes: {} };
  return oneOf(made, request.query, request, 201);
}

function phasedOf({ state, key, id }: ConnectRequest): PhasedRelease {
  const all = ({ versions }: { versions: readonly StoreVersion[] }): PhasedRelease[] =>
    versions.flatMap(({ phasedRelease }) => phasedRelease ?? []);
  return state.find(key.team, all, id, noResource('appStoreVersionPhasedReleases', id));
}
