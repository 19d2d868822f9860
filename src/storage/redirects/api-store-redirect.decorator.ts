import { ApiFoundResponse } from '@nestjs/swagger';

/** A download that can lead to the object storage instead, with `DOWNLOAD_REDIRECTS`. @param lifetime of its address */
export const ApiStoreRedirect = (lifetime = '15 minutes'): MethodDecorator =>
  ApiFoundResponse({
    description: `The file is in object storage, and the operator lets clients read it there. Works for ${lifetime}, without a token.`,
    headers: {
      Location: {
        description: 'A presigned address of the store, or of a CDN in front of it.',
        required: true,
        schema: { type: 'string', format: 'uri' },
      },
    },
  });
