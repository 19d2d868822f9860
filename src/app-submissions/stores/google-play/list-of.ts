import type { JsonValue } from '../../../common/json-value.js';
import { unusable } from './google-play-api.js';

/**
 * A list of a response. Google leaves empty ones out.
 *
 * @throws StoreRefusal when there is something else
 */
export function listOf(response: JsonValue, name: string): JsonValue[] {
  const list = response.get(name);
  if (!list.isListOrAbsent) throw unusable(200, '');
  return list.items;
}
