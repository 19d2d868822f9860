import type { Reply } from '../../../stand-in/reply.ts';
import { invalidAttribute, invalidRelationship, noResource, wrongState } from '../../apple-error.ts';
import {
  addVersionLocalization,
  isEditable,
  isFirst,
  type StoreVersion,
  type VersionLocalization,
} from '../../state/app-store/store-version.ts';
import { readBody } from '../body.ts';
import { oneOf, pageOf } from '../document.ts';
import type { ConnectRequest } from '../handle.ts';
import { isOneOf } from '../lists.ts';
import { LOCALES } from '../locales.ts';
import { checkedWhatsNew } from '../localizations.ts';
import { toVersionLocalization } from './present-store.ts';
import { versionOf } from './store-versions.ts';

const TEXTS = {
  'description?': 'string',
  'keywords?': 'string',
  'marketingUrl?': 'string',
  'promotionalText?': 'string',
  'supportUrl?': 'string',
  'whatsNew?': 'string',
} as const;

/** `GET /v1/appStoreVersions/{id}/appStoreVersionLocalizations`. */
export function listVersionLocalizations(request: ConnectRequest): Reply {
  const { query } = request;
  const found = versionOf(request).localizations.filter(({ locale }) =>
    isOneOf(query.filter('locale'), locale),
  );
  return pageOf(found.map(toVersionLocalization), query, request);
}

/** `GET /v1/appStoreVersionLocalizations/{id}`. */
export function getVersionLocalization(request: ConnectRequest): Reply {
  return oneOf(toVersionLocalization(localizationOf(request)), request.query, request);
}

/** `POST /v1/appStoreVersionLocalizations`. */
export function createVersionLocalization(request: ConnectRequest): Reply {
  const { attributes, related } = readBody(request.body, {
    type: 'appStoreVersionLocalizations',
    attributes: { locale: 'string', ...TEXTS },
    relationships: { appStoreVersion: 'appStoreVersions' },
  });
  const version = findVersion(request, related['appStoreVersion'] ?? '');
  const locale = String(attributes['locale']);
  if (!LOCALES.includes(locale))
    throw invalidAttribute('locale', `The language specified is not listed for localization: ${locale}`);
  if (version.localizations.some((one) => one.locale === locale))
    throw invalidAttribute('locale', `The locale '${locale}' has already been used.`, '.DUPLICATE');
  if (!isEditable(version)) throw locked('locale');
  const localization = addVersionLocalization(version, locale, whatsNewOf(version, attributes));
  return oneOf(toVersionLocalization(localization), request.query, request, 201);
}

/** `PATCH /v1/appStoreVersionLocalizations/{id}`. */
export function updateVersionLocalization(request: ConnectRequest): Reply {
  const localization = localizationOf(request);
  const { version } = localization;
  const { attributes } = readBody(request.body, {
    type: 'appStoreVersionLocalizations',
    id: localization.id,
    attributes: TEXTS,
  });
  const [changed] = Object.keys(attributes);
  if (changed !== undefined && !isEditable(version)) throw locked(changed);
  if (Object.hasOwn(attributes, 'whatsNew')) localization.whatsNew = whatsNewOf(version, attributes);
  return oneOf(toVersionLocalization(localization), request.query, request);
}

/** `DELETE /v1/appStoreVersionLocalizations/{id}`. */
export function deleteVersionLocalization(request: ConnectRequest): Reply {
  const localization = localizationOf(request);
  const { version } = localization;
  if (!isEditable(version)) throw locked('locale');
  if (version.localizations.length === 1) throw wrongState('The last localization can not be deleted.');
  version.localizations.splice(version.localizations.indexOf(localization), 1);
  return { status: 204 };
}

/** The first version has no release notes: https://github.com/fastlane/fastlane/issues/18328 */
function whatsNewOf(version: StoreVersion, attributes: Readonly<Record<string, unknown>>): string | null {
  const whatsNew = checkedWhatsNew(attributes['whatsNew']);
  if (whatsNew !== null && isFirst(version)) throw locked('whatsNew');
  return whatsNew;
}

function locked(attribute: string): Error {
  return wrongState(`Attribute '${attribute}' cannot be edited at this time`);
}

function localizationOf({ state, key, id }: ConnectRequest): VersionLocalization {
  const all = ({ versions }: { versions: readonly StoreVersion[] }): VersionLocalization[] =>
    versions.flatMap(({ localizations }) => localizations);
  return state.find(key.team, all, id, noResource('appStoreVersionLocalizations', id));
}

/** The version of a relationship. @throws AppleError 409 */
export function findVersion({ state, key }: ConnectRequest, id: string): StoreVersion {
  try {
    return state.version(key.team, id);
  } catch {
    const detail = `There is no resource of type 'appStoreVersions' with id '${id}'`;
    throw invalidRelationship('appStoreVersion', detail);
  }
}
