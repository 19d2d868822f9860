import type { Reply } from '../../stand-in/reply.ts';
import type { AppleApp } from '../state/connect-state.ts';
import { pageOf, oneOf } from './document.ts';
import type { ConnectRequest } from './handle.ts';
import { toApp, toAppLocalization, toGroup } from './present.ts';
import { isOneOf, sorted } from './lists.ts';

/** `GET /v1/apps`. */
export function listApps(request: ConnectRequest): Reply {
  const { state, key, query } = request;
  const names = query.filter('bundleId');
  const found = state
    .appsOf(key.team)
    // The filter matches more than was asked for: https://github.com/fastlane/fastlane/issues/17539
    .filter(({ bundleId }) => names === null || names.some((name) => bundleId.startsWith(name)))
    .filter(({ name }) => isOneOf(query.filter('name'), name))
    .filter(({ bundleId }) => isOneOf(query.filter('sku'), bundleId))
    .filter(({ id }) => isOneOf(query.filter('id'), id));
  return pageOf(sorted(found.map(toApp), query), query, request, request.connect.hasEndlessPages);
}

/** `GET /v1/apps/{id}`. */
export function getApp(request: ConnectRequest): Reply {
  return oneOf(toApp(appOf(request)), request.query, request);
}

/** `GET /v1/apps/{id}/betaGroups`. */
export function listAppGroups(request: ConnectRequest): Reply {
  return pageOf(appOf(request).groups.map(toGroup), request.query, request, request.connect.hasEndlessPages);
}

/** `GET /v1/betaGroups`. */
export function listGroups(request: ConnectRequest): Reply {
  const { state, key, query } = request;
  const names = query.filter('name');
  const found = state
    .appsOf(key.team)
    .filter(({ id }) => isOneOf(query.filter('app'), id))
    .flatMap(({ groups }) => groups)
    // As with bundle ids: "QA" finds "QA Team", too.
    .filter(
      ({ name }) => names === null || names.some((one) => name.toLowerCase().includes(one.toLowerCase())),
    )
    .filter(({ isInternal }) => isOneOf(query.filter('isInternalGroup'), String(isInternal)))
    .filter(({ builds }) => query.filter('builds')?.some((id) => builds.has(id)) ?? true)
    .filter(({ id }) => isOneOf(query.filter('id'), id));
  return pageOf(sorted(found.map(toGroup), query), query, request, request.connect.hasEndlessPages);
}

/** `GET /v1/apps/{id}/betaAppLocalizations`. */
export function listAppLocalizations(request: ConnectRequest): Reply {
  return pageOf(appOf(request).localizations.map(toAppLocalization), request.query, request);
}

/** `GET /v1/betaAppLocalizations`. */
export function listBetaAppLocalizations(request: ConnectRequest): Reply {
  const { state, key, query } = request;
  const found = state
    .appsOf(key.team)
    .filter(({ id }) => isOneOf(query.filter('app'), id))
    .flatMap(({ localizations }) => localizations)
    .filter(({ locale }) => isOneOf(query.filter('locale'), locale));
  return pageOf(found.map(toAppLocalization), query, request);
}

export function appOf({ state, key, id }: ConnectRequest): AppleApp {
  return state.app(key.team, id);
}
