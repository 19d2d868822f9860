import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';

/** Scheme, authority without credentials, and the rest; there is no fragment. */
const PARTS = /^(https?):\/\/([^/?#@\\]+)((?:[/?][^#]*)?)$/i;

/** A name, an IPv4 address or an IPv6 address, with or without a port. */
const AUTHORITY = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

/** Hosts that Electron reaches without TLS. */
const LOCAL_HOST = /^(?:localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/;

/** What RFC 3986 allows nowhere in a path and a query; a `%` begins a character that is encoded already. */
const NOT_ALLOWED = /[^A-Za-z0-9._~!$&'()*+,;=:@/?%-]/gu;

/** Longest URL, in characters, after percent-encoding. */
const MAX_LENGTH = 2000;

/** The URL of a zip that its owner hosts, in the form of `toRegisteredUrl`. */
export function IsRegisteredUrl(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', format: 'uri', nullable: true }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (toRegisteredUrl(value) ?? value) : value,
    ),
    IsTextThat(
      (text) => toRegisteredUrl(text) === text,
      '$property must be an https address (http only on localhost) without credentials and fragment, with two hexadecimal digits after every %.',
    ),
    IsText(MAX_LENGTH),
  );
}

/**
 * The address of a registered bundle in the form that every plugin can read: iOS accepts only what RFC 3986 allows, and
 * crashes otherwise.
 *
 * @param text an `https` address, or an `http` address of this computer (`localhost`, names below it, `127.0.0.1`,
 *   `[::1]`)
 * @returns the address with all other characters percent-encoded, and its host in lower-case ASCII; an address in this
 *   form is not changed. `null`: it has another scheme, credentials, a fragment, control characters, an invalid host,
 *   or a `%` without two hexadecimal digits.
 */
export function toRegisteredUrl(text: string): string | null {
  const [, scheme, authority, rest] = PARTS.exec(text) ?? [];
  if (scheme === undefined || authority === undefined || rest === undefined) return null;
  if (/%(?![0-9A-Fa-f]{2})|\p{Cc}/u.test(text) || !text.isWellFormed()) return null;
  const protocol = `${scheme.toLowerCase()}:`;
  // In the form that the URL standard gives it: international names in Punycode, no default port.
  const url = URL.parse(`${protocol}//${authority}`);
  if (url === null || !AUTHORITY.test(url.host)) return null;
  if (protocol === 'http:' && !LOCAL_HOST.test(url.hostname)) return null;
  return `${protocol}//${url.host}${rest.replace(NOT_ALLOWED, encodeURIComponent)}`;
}
