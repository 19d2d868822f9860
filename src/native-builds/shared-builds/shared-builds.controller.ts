import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Public } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { RateLimitedError, errorOf } from '../../common/errors/app-error.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { requestOriginOf } from '../../common/request-origin/request-origin.js';
import { Config } from '../../config/config.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import type { BuildShare } from '../build-shares/build-share.entity.js';
import { ShareAddressesService } from './share-addresses.service.js';
import { SharePasswords } from './share-passwords.service.js';
import { SharedBuildDto, toLockedBuildDto, toSharedBuildDto, UnlockShareDto } from './shared-build.dto.js';
import { SharedBuildsService } from './shared-builds.service.js';

@ApiTags('Builds')
@Controller('app-build-shares/:buildShareId')
export class SharedBuildsController {
  constructor(
    private readonly shared: SharedBuildsService,
    private readonly passwords: SharePasswords,
    private readonly addresses: ShareAddressesService,
    private readonly config: Config,
  ) {}

  /**
   * Gets a shared build, without a token: what the page of the share shows. If the share has a password, the response says
   * only that: send the password with `POST …/unlock`.
   */
  @Get()
  @NoStore()
  @Public()
  async get(@IdParam('buildShareId') id: string, @Req() request: Request): Promise<SharedBuildDto> {
    const share = await this.shared.findShare(id);
    return share.passwordHash === null ? this.present(share, request) : toLockedBuildDto(share.id);
  }

  /**
   * Gets a shared build with the password of the share. The addresses of its files work for 15 minutes, and not after the
   * password has changed. After some wrong passwords, further attempts have to wait.
   */
  @Post('unlock')
  @HttpCode(200)
  @ApiSuccess('The shared build.')
  @OwnTransactions()
  @NoStore()
  @Public()
  @RateLimit('sign-in')
  @ApiErrors('wrong_share_password')
  async unlock(
    @IdParam('buildShareId') id: string,
    @Body() { password }: UnlockShareDto,
    @Req() request: Request,
  ): Promise<SharedBuildDto> {
    const share = await this.shared.findShare(id);
    const attempt = await this.passwords.verify(share, password, requestOriginOf(request));
    if (attempt.result === 'too-many') throw new RateLimitedError(attempt.retryAfterSeconds);
    if (attempt.result === 'wrong') throw errorOf('wrong_share_password');
    return this.present(share, request);
  }

  private async present(share: BuildShare, request: Request): Promise<SharedBuildDto> {
    const origin = publicUrl(this.config.http, request);
    return toSharedBuildDto(await this.shared.find(share), this.addresses.of(share), origin);
  }
}
