import { Body, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { databaseNow } from '../../common/database-clock.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { isUdid } from '../../common/provisioning-profiles.js';
import { isUuid } from '../../common/validation/uuid.js';
import { Config } from '../../config/config.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { CurrentVisit, type Page, Visit } from '../../pages/views/page.js';
import type { BuildShare } from '../build-shares/build-share.entity.js';
import { sharePath } from '../build-shares/share-path.js';
import { checkableIpaOf, DeviceChecks } from '../shared-builds/device-checks.service.js';
import { ShareAddressesService } from '../shared-builds/share-addresses.service.js';
import { SharePasswords } from '../shared-builds/share-passwords.service.js';
import { type SharedBuild, SharedBuildsService } from '../shared-builds/shared-builds.service.js';
import { type DeviceCheck, deviceOf, type PageContext } from './page-context.js';
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
    private readonly checks: DeviceChecks,
    private readonly config: Config,
  ) {}

  @GetPage(':buildShareId')
  show(
    @CurrentVisit() visit: Visit,
    @Param('buildShareId') id: string,
    @Req() request: Request,
  ): Promise<Page> {
    return this.pageOf(id, (share) =>
      share.passwordHash === null
        ? this.present(share, visit, request)
        : passwordPage(visit, share.id, udidOf(request)),
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
      if (attempt.result === 'too-many') return passwordPage(visit, share.id, udidOf(request), attempt);
      if (attempt.result === 'wrong') {
        return passwordPage(visit, share.id, udidOf(request), { message: WRONG });
      }
      return this.present(share, visit, request);
    });
  }

  private async present(share: BuildShare, visit: Visit, request: Request): Promise<Page> {
    const origin = publicUrl(this.config.http, request);
    const url = new URL(sharePath(share.id), origin).href;
    const now = databaseNow();
    const shared = await this.shared.find(share);
    const check = await this.checkOf(shared, visit, request, { url, now });
    const at = { url, device: deviceOf(visit.origin.userAgent), now, check };
    return sharedBuildPage(visit, shared, this.addresses.of(share), at);
  }

  /** Looks for the device that was led here with its UDID in the profile of the ipa. */
  private async checkOf(
    shared: SharedBuild,
    visit: Visit,
    request: Request,
    { url, now }: Pick<PageContext, 'url' | 'now'>,
  ): Promise<DeviceCheck> {
    if (request.query['udid'] === undefined) return { result: 'none' };
    const udid = udidOf(request);
    const ipa = checkableIpaOf(shared, now);
    if (udid === null || ipa === null || !url.startsWith('https:')) return { result: 'invalid' };
    return this.checks.check(shared, ipa, udid, visit.origin);
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

/** With which UDID a device was led here; `null`: with none that is valid. */
function udidOf({ query }: Request): string | null {
  return isUdid(query['udid']) ? query['udid'] : null;
}
