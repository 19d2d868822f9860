import { invalidField } from '../../common/errors/app-error.js';
import type { UploadedPartDto } from './file-upload.dto.js';
import type { UploadPart } from './upload-part.entity.js';

/**
 * The stored parts that a file is joined of.
 *
 * @param wanted in any order
 * @returns them by their numbers
 * @throws InvalidRequestError when one of them is listed twice, or was not stored with this etag
 */
export function chooseParts<P extends Pick<UploadPart, 'partNumber' | 'sha256'>>(
  wanted: readonly UploadedPartDto[],
  stored: readonly P[],
): P[] {
  const byName = new Map(stored.map((part) => [`${part.partNumber} ${part.sha256}`, part]));
  return wanted
    .toSorted((a, b) => a.partNumber - b.partNumber)
    .map(({ partNumber, etag }, index, sorted) => {
      if (sorted[index - 1]?.partNumber === partNumber) {
        throw invalidField('parts', `parts: part ${partNumber} is listed twice.`);
      }
      const part = byName.get(`${partNumber} ${etag}`);
      if (part === undefined) {
        throw invalidField('parts', `parts: part ${partNumber} was not uploaded with this etag.`);
      }
      return part;
    });
}
