import { Body, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { databaseNow } from '../../common/database-clock.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { isUuid } from '../../common/validation/uuid.js';
import { Config } from '../../config/config.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { CurrentVisit, type Page, Visit } from '../../pages/views/page.js';
import type { BuildShare } from '../build-shares/build-share.entity.js';
import { sharePath } from '../build-shares/share-path.js';
import { ShareAddressesService } from '../shared-builds/share-addresses.service.js';
import { SharePasswords } from '../shared-builds/share-passwords.service.js';
import { SharedBuildsService } from '../shared-builds/shared-builds.service.js';
import { deviceOf } from './page-context.js';
import { missingSharePage, passwordPage } from './locked-share.views.js';
import { SharePasswordForm } from './share-password-form.dto.js';
import { sharedBuildPage } from './shared-build.views.js';

const WRONG = 'That is not the password of this page. Check what you typed and try again.';

/** The page of a shared build, for everyone who has its address: the official CLI prints it. */
@OwnTransactions()
@PageController('app-build-shares')
export class BuildSharePageController {
  constructor(
    private readonly shared: SharedBuildsService,
    private readonly passwords: SharePasswords,
    private readonly addresses: ShareAddressesService,
    private readonly config: Config,
  ) {}

  @GetPage(':buildShareId')
  show(
    @CurrentVisit() visit: Visit,
    @Param('buildShareId') id: string,
    @Req() request: Request,
  ): Promise<Page> {
    return this.pageOf(id, (share) =>
      share.passwordHash === null ? this.present(share, visit, request) : passwordPage(visit, share.id),
    );
  }

  /** Shows the page to those who know its password. */
  @PostForm(':buildShareId')
  @RateLimit('sign-in')
  unlock(
    @CurrentVisit() visit: Visit,
    @Param('buildShareId') id: string,
    @Body() { password }: SharePasswordForm,
    @Req() request: Request,
  ): Promise<Page> {
    return this.pageOf(id, async (share) => {
      const attempt = await this.passwords.verify(share, password, visit.origin);
      if (attempt.result === 'too-many') return passwordPage(visit, share.id, attempt);
      if (attempt.result === 'wrong') return passwordPage(visit, share.id, { message: WRONG });
      return this.present(share, visit, request);
    });
  }

  private async present(share: BuildShare, visit: Visit, request: Request): Promise<Page> {
    const origin = publicUrl(this.config.http, request);
    const url = new URL(sharePath(share.id), origin).href;
    const at = { url, device: deviceOf(visit.origin.userAgent), now: databaseNow() };
    return sharedBuildPage(visit, await this.shared.find(share), this.addresses.of(share), at);
  }

  /** One page for shares that never were, have expired or were deleted. */
  private async pageOf(id: string, show: (share: BuildShare) => Page | Promise<Page>): Promise<Page> {
    if (!isUuid(id)) return missingSharePage();
    try {
      return await show(await this.shared.findShare(id.toLowerCase()));
    } catch (error) {
      if (error instanceof NotFoundError) return missingSharePage();
      throw error;
    }
  }
}
