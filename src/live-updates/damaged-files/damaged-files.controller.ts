import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
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
   * Stored files of the organization's apps whose bytes are not the ones any more that were uploaded, the latest first.
   * They are not sent to devices. Uploading the same bytes again, in any bundle, repairs a file.
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
