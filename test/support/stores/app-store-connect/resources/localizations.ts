import type { Reply } from '../../stand-in/reply.ts';
import { invalidAttribute, noResource, wrongState } from '../apple-error.ts';
import { addLocalization } from '../state/builds.ts';
import { readBody } from './body.ts';
import { buildOf } from './builds.ts';
import { oneOf, pageOf } from './document.ts';
import type { ConnectRequest } from './handle.ts';
import { isOneOf } from './lists.ts';
import { LOCALES } from './locales.ts';
import { toLocalization } from './present.ts';

const LONGEST = 4000;
const FORBIDDEN = /[<]|\p{Extended_Pictographic}/u;

/** `GET /v1/builds/{id}/betaBuildLocalizations`. */
export function listBuildLocalizations(request: ConnectRequest): Reply {
  return pageOf(buildOf(request).localizations.map(toLocalization), request.query, request);
}

/** `GET /v1/betaBuildLocalizations`. */
export function listLocalizations(request: ConnectRequest): Reply {
  const { state, key, query } = request;
  const found = state
    .appsOf(key.team)
    .flatMap(({ builds }) => builds)
    .filter(({ id }) => isOneOf(query.filter('build'), id))
    .flatMap(({ localizations }) => localizations)
    .filter(({ locale }) => isOneOf(query.filter('locale'), locale));
  return pageOf(found.map(toLocalization), query, request);
}

/** `POST /v1/betaBuildLocalizations`. */
export function createLocalization(request: ConnectRequest): Reply {
  const { attributes, related } = readBody(request.body, {
    type: 'betaBuildLocalizations',
    attributes: { locale: 'string', 'whatsNew?': 'string' },
    relationships: { build: 'builds' },
  });
  const build = request.state.build(request.key.team, related['build'] ?? '');
  const locale = String(attributes['locale']);
  if (!LOCALES.includes(locale))
    throw invalidAttribute('locale', `The language specified is not listed for localization: ${locale}`);
  if (build.localizations.some((one) => one.locale === locale))
    throw invalidAttribute('locale', `The locale '${locale}' has already been used.`, '.DUPLICATE');
  if (build.isExpired) throw locked();
  const localization = addLocalization(build, locale, checkedWhatsNew(attributes['whatsNew']));
  return oneOf(toLocalization(localization), request.query, request, 201);
}

/** `PATCH /v1/betaBuildLocalizations/{id}`. */
export function updateLocalization(request: ConnectRequest): Reply {
  const { state, key, id } = request;
  const localization = state
    .appsOf(key.team)
    .flatMap(({ builds }) => builds)
    .flatMap(({ localizations }) => localizations)
    .find((one) => one.id === id);
  if (localization === undefined) throw noResource('betaBuildLocalizations', id);
  const shape = { type: 'betaBuildLocalizations', id, attributes: { 'whatsNew?': 'string' } } as const;
  const { attributes } = readBody(request.body, shape);
  if (localization.build.isExpired) throw locked();
  if (Object.hasOwn(attributes, 'whatsNew')) localization.whatsNew = checkedWhatsNew(attributes['whatsNew']);
  return oneOf(toLocalization(localization), request.query, request);
}

/** The codes: logs of https://github.com/nickustinov/itsyconnect-macos/issues/54, and of App Store versions. */
export function checkedWhatsNew(whatsNew: unknown): string | null {
  const text = typeof whatsNew === 'string' ? whatsNew : null;
  if ([...(text ?? '')].length > LONGEST)
    throw invalidAttribute(
      'whatsNew',
      `whatsNew must not be longer than ${LONGEST} characters.`,
      '.TOO_LONG',
    );
  const [character] = FORBIDDEN.exec(text ?? '') ?? [];
  if (character !== undefined)
    throw invalidAttribute(
      'whatsNew',
      `What’s New can’t contain the following character(s): ${character}.`,
      '.INVALID_CHARACTERS',
    );
  return text;
}

function locked(): Error {
  return wrongState("Attribute 'whatsNew' cannot be edited at this time");
}
