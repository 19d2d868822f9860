import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { OptionalToken } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { publicUrl } from '../../common/http/public-url.js';
import { Config } from '../../config/config.js';
import { ApiUpdateCheck } from './api-update-check.decorator.js';
import { UpdateDto } from './update.dto.js';
import { parseUpdateCheck } from './update-check-request.js';
import { UpdateCheckService } from './update-check.service.js';

@ApiTags('Devices: live updates')
@Controller('apps/:appId/bundles/latest')
export class UpdateCheckController {
  constructor(
    private readonly updates: UpdateCheckService,
    private readonly config: Config,
  ) {}

  /**
   * The bundle that a device shall run; the plugins compare it with the one they run. 404 means that there is none.
   * A check with a token is a probe: the device is not remembered as seen.
   */
  @Get()
  @OptionalToken()
  @ApiUpdateCheck()
  @ApiErrors(400, 404)
  async check(
    @IdParam('appId') appId: string,
    @Caller() caller: Principal | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UpdateDto> {
    response.setHeader('Cache-Control', 'no-store');
    const check = parseUpdateCheck(request.originalUrl, request.get('X-Capawesome-Device-Id'));
    return this.updates.check(appId, check, publicUrl(this.config.http, request), caller !== undefined);
  }
}
