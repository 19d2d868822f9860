import type { JsonValue } from '../../../../common/json/json-value.js';
import { unusable } from '../refusals/answer-refusals.js';
import type { OperationHeader } from '../upload-operation.js';

const MAX_HEADERS = 50;
const NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
/** What a header can hold: no line break, no other control character. */
const VALUE = /^[\t\x20-\x7e\xa0-\xff]{0,4096}$/;

/** Headers about the connection and the length of what is sent, which only the sender knows. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/**
 * The headers that an operation wants: all of them, and no others. `Authorization` is one of Apple's, never the token.
 *
 * @param length of the part, which `Content-Length` must be
 * @throws StoreRefusal when one cannot be sent
 */
export function requireHeaders(list: JsonValue, length: number): OperationHeader[] {
  if ((!list.isListOrAbsent && !list.isNull) || list.items.length > MAX_HEADERS) throw unusable(200, '');
  const seen = new Set<string>();
  return list.items.flatMap((item) => {
    const [name, value] = [item.get('name').string ?? '', item.get('value').string ?? ''];
    const key = name.toLowerCase();
    if (!NAME.test(name) || !VALUE.test(value) || OWN_HEADERS.has(key) || seen.has(key))
      throw unusable(200, '');
    seen.add(key);
    if (key !== 'content-length') return [{ name, value }];
    // It is sent anyway.
    if (value.trim() !== String(length)) throw unusable(200, '');
    return [];
  });
}
