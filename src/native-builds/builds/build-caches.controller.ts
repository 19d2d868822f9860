import { Controller, Delete, HttpCode } from '@nestjs/common';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AppsService } from '../../apps/apps/apps.service.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';

@ApiTags('Builds')
@Controller('apps/:appId/build-caches')
export class BuildCachesController {
  constructor(private readonly apps: AppsService) {}

  /**
   * Drops the caches of an app's builds, for all environments and on all runners: the next builds begin with empty ones. Builds
   * that run are not affected. A runner deletes its files when it builds the app next.
   */
  @Delete()
  @HttpCode(204)
  @Requires('builds:write')
  async drop(@CurrentApp() app: App): Promise<void> {
    await this.apps.dropBuildCaches(app.id);
  }
}
