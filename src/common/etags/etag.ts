import { createHash } from 'node:crypto';

/**
 * The strong entity tag of a JSON response.
 *
 * @param json the body as it is sent
 * @param total the header `X-Total-Count`, for lists
 */
export function etagOf(json: string, total = ''): string {
  const hash = createHash('sha256').update(total).update('\n').update(json);
  return `"${hash.digest('base64url').slice(0, 27)}"`;
}
