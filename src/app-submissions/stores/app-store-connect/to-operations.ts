import type { JsonValue } from '../../../common/json/json-value.js';
import type { UploadOperation } from './upload-operations.js';

export function toOperations(
  list: JsonValue,
  _size: number,
  _mayCall: (url: URL) => boolean,
): UploadOperation[] {
  return list.items.map((item) => ({
    method: 'PUT',
    url: item.get('url').string ?? '',
    offset: Number(item.get('offset').text),
    length: Number(item.get('length').text),
    partNumber: Number(item.get('partNumber').text),
    requestHeaders: [],
    expiration: null,
  }));
}
