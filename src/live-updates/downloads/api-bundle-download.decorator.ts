import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiQuery } from '@nestjs/swagger';
import { ApiStoreRedirect } from '../../storage/redirects/api-store-redirect.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { blobEncodings } from '../../storage/blob-variants/blob-variant.entity.js';
import { Public } from '../../common/access/requires.decorator.js';

/** A download of a device: needs no token, and takes the path of a file in `href`. */
export const ApiBundleDownload = (): MethodDecorator =>
  applyDecorators(
    Public(),
    RateLimit('devices'),
    ApiQuery({
      name: 'href',
      required: false,
      description: 'Path of the file in a manifest bundle, such as `assets/app.js`.',
      schema: { type: 'string' },
    }),
    ApiProduces('application/octet-stream'),
    ApiOkResponse({
      schema: { type: 'string', format: 'binary' },
      headers: {
        'X-Checksum': {
          description: 'SHA-256 of the decoded bytes, lower-case hexadecimal.',
          required: true,
          schema: { type: 'string' },
        },
        'X-Signature': {
          description: 'Base64 signature of the decoded bytes, when signed.',
          schema: { type: 'string' },
        },
        'Content-Encoding': {
          description:
            '`br` if the client accepts it and the file was compressed so, otherwise `gzip`, if any.',
          schema: { type: 'string', enum: [...blobEncodings] },
        },
      },
    }),
    ApiStoreRedirect(),
    ApiErrors('file_damaged', 'file_not_found', 'storage_unavailable'),
  );
