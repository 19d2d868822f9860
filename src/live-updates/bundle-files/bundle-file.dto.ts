import { ApiId } from '../../common/openapi/api-fields.decorators.js';

/** The file that was stored or announced. */
export class BundleFileDto {
  @ApiId()
  id!: string;
}
