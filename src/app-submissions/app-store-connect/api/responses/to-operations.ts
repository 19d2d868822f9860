import type { JsonValue } from '../../../../common/json-value.js';
import { type Refusal, StoreRefusal } from '../../../calls/refusals/refusal.js';
import { unusable } from '../../refusals/answer-refusals.js';
import type { UploadOperation, OperationHeader } from '../upload-operation.js';

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

const MAX_OPERATIONS = 10_000;
const MAX_ADDRESS = 8192;
const METHODS = ['PUT', 'POST'] as const;

/**
 * The operations that upload a file, in its order.
 *
 * @param size of the file in bytes, which they must cover exactly; `null`: Apple does not say
 * @param mayCall whether an address of an answer may be called
 * @throws StoreRefusal when they are not usable as they are
 */
export function toOperations(
  list: JsonValue,
  size: number | null,
  mayCall: (url: URL) => boolean,
): UploadOperation[] {
  const { items } = list;
  if (!list.isListOrAbsent && !list.isNull) throw unusable(200, '');
  if (items.length > MAX_OPERATIONS) throw unusable(200, '');
  const operations = items.map((item, index) => toOperation(item, index, mayCall));
  operations.sort((one, other) => one.offset - other.offset);
  let covered = 0;
  for (const { offset, length } of operations) {
    if (offset !== covered) throw unusable(200, '');
    covered += length;
  }
  if (operations.length > 0 && size !== null && covered !== size) throw unusable(200, '');
  return operations;
}

function toOperation(item: JsonValue, index: number, mayCall: (url: URL) => boolean): UploadOperation {
  const method = METHODS.find((known) => known === item.get('method').string);
  const address = item.get('url').string ?? '';
  const [offset, length] = [integerOf(item.get('offset')), integerOf(item.get('length'))];
  if (method === undefined || offset === null || length === null || length === 0) throw unusable(200, '');
  if (address.length > MAX_ADDRESS || !URL.canParse(address)) throw unusable(200, '');
  const url = new URL(address);
  if (!mayCall(url)) throw new StoreRefusal(ADDRESS_REFUSED, 200, null);
  return {
    method,
    // As Apple wrote it: a signature may depend on each character.
    url: address,
    offset,
    length,
    partNumber: integerOf(item.get('partNumber')) ?? index + 1,
    requestHeaders: requireHeaders(item.get('requestHeaders'), length),
    expiration: timeOf(item.get('expiration').text),
  };
}

function integerOf(value: JsonValue): number | null {
  const text = value.text ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function timeOf(text: string | null): Date | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time);
}

const ADDRESS_REFUSED: Refusal = {
  code: 'upload_address_refused',
  sentence:
    'App Store Connect named an address for the upload that Slipway does not call: it is neither https nor the configured host. Ask the operator of this server to check APP_STORE_CONNECT_URL and the network; a retry rarely helps.',
  retry: 'again',
  does: 'new-upload',
  afterSeconds: 5,
};

/**
 * The headers that an operation wants: all of them, and no others. `Authorization` is one of Apple's, never the token.
 *
 * @param length of the part, which `Content-Length` must be
 * @throws StoreRefusal when one cannot be sent
 */
function requireHeaders(list: JsonValue, length: number): OperationHeader[] {
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
