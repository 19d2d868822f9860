import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../common/access/requires.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { Config } from '../../config/config.js';
import { InstallableFiles } from './installable-files.service.js';
import { makeManifest } from './ios-manifest.js';
import { IosManifestQuery } from './ios-manifest-query.dto.js';

@ApiTags('Builds')
@Controller('ios-manifest-plist')
export class IosManifestsController {
  constructor(
    private readonly files: InstallableFiles,
    private readonly config: Config,
  ) {}

  /**
   * Makes the manifest by which iPhones and iPads install an app from a web page: link to
   * `itms-services://?action=download-manifest&url=` and the encoded address of this operation. Devices require https. Only
   * files of this server can be installed, at an address that works now.
   */
  @Get()
  @NoStore()
  @Public()
  @ApiProduces('application/xml')
  @ApiOkResponse({ schema: { type: 'string' } })
  async get(
    @Query() { url, ...app }: IosManifestQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const origin = publicUrl(this.config.http, request);
    const address = await this.files.requireIpa(url, origin, app.packageName);
    response.type('application/xml').send(makeManifest({ ...app, url: address }));
  }
}
