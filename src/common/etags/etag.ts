import { createHash } from 'node:crypto';

/**
 * The strong entity tag of a JSON response.
 *
 * @param json the body as it is sent
 * @param total the header `X-Total-Count`, for lists
 * @param prefix what identifies the object and its version, see `sendVersioned`
 */
export function etagOf(json: string, total = '', prefix = ''): string {
  const hash = createHash('sha256').update(total).update('\n').update(json);
  return `"${prefix}${hash.digest('base64url').slice(0, 27)}"`;
}
