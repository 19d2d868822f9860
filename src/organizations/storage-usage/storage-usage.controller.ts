import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { StorageQuotasService } from '../../storage/uploads/storage-quotas.service.js';
import { StorageUsageDto } from './storage-usage.dto.js';

@ApiTags('Organizations')
@Controller('organizations/:organizationId/storage')
export class StorageUsageController {
  constructor(private readonly quotas: StorageQuotasService) {}

  /**
   * Gets how much the organization stores, and how much it may store. At the limit, new bundles and files are refused.
   * Bundles that nothing needs any more are deleted after some days, and their files with them.
   */
  @Get()
  @Requires('organizations:read')
  async get(@IdParam('organizationId') organizationId: string): Promise<StorageUsageDto> {
    const { files, sizeInBytes, quotaInBytes } = await this.quotas.usage(organizationId);
    return { files, sizeInBytes, quotaInBytes };
  }
}
