import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { DamagedFileDto } from './damaged-file.dto.js';
import { DamagedFilesQueries } from './damaged-files.queries.js';

@ApiTags('Bundles')
@Controller('organizations/:organizationId/damaged-files')
export class DamagedFilesController {
  constructor(private readonly queries: DamagedFilesQueries) {}

  /**
   * Lists the damaged files of an organization: their stored bytes differ from the uploaded ones. Newest first. Devices do
   * not get damaged files. To repair a file, upload the same bytes again, in any bundle.
   */
  @Get()
  @Requires('damaged-files:read')
  @ApiPage(DamagedFileDto)
  async list(
    @IdParam('organizationId') organizationId: string,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DamagedFileDto[]> {
    return sendPage(response, query, await this.queries.list(organizationId, query));
  }
}
