import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { BundleRetentionDto, RetainedBundleDto, ListRetainedBundlesQuery } from './bundle-retention.dto.js';
import { BundleRetentionService } from './bundle-retention.service.js';

@ApiTags('Bundles')
@Controller('apps/:appId/bundle-retention')
export class BundleRetentionController {
  constructor(private readonly retention: BundleRetentionService) {}

  /**
   * Previews retention for an app: what it would delete, how many bytes that frees, and why it keeps the rest. Deletes
   * nothing.
   */
  @Get()
  @ApiSuccess('What retention would delete, and what it keeps.')
  @Requires('builds:read')
  get(@CurrentApp() app: App): Promise<BundleRetentionDto> {
    return this.retention.get(app);
  }

  /** Lists the published bundles of an app with what retention would do with each, newest build first. Deletes nothing. */
  @Get('bundles')
  @ApiSuccess('The bundles, and what retention would do with each.')
  @Requires('builds:read')
  @ApiPage(RetainedBundleDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListRetainedBundlesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RetainedBundleDto[]> {
    return sendPage(response, query, await this.retention.list(app.id, query));
  }
}
