import { HttpCode, Post, Query } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import { Public } from '../../../common/access/requires.decorator.js';
import { Config, decryptionKeysOf } from '../../../config/config.js';
import { GetPage, LinkPageController } from '../../../pages/requests/page.decorators.js';
import type { Page } from '../../../pages/views/page.js';
import { NoticeSettingsService } from '../notice-settings.service.js';
import { UnsubscribeQuery } from '../notices.dto.js';
import { UnsubscribeTokens } from './unsubscribe-token.js';
import { askPage, donePage, invalidPage } from './unsubscribe.views.js';

/**
 * Where the links of mails lead to. The token in the address is all that is needed, so mail programs can send the POST
 * request by themselves (RFC 8058), and another site cannot without knowing it.
 */
@LinkPageController('unsubscribe')
export class UnsubscribeController {
  private readonly tokens: UnsubscribeTokens;

  constructor(
    private readonly settings: NoticeSettingsService,
    config: Config,
  ) {
    this.tokens = new UnsubscribeTokens(decryptionKeysOf(config));
  }

  /** Changes nothing. */
  @GetPage()
  show(@Query() { token }: UnsubscribeQuery): Page {
    const subscription = this.tokens.read(token);
    return subscription === null ? invalidPage() : askPage(subscription.kind, token);
  }

  /** The form of the page, or of a mail program in either of its content types. Nothing in the body counts. */
  @Post()
  @HttpCode(200)
  @ApiConsumes('application/x-www-form-urlencoded', 'multipart/form-data')
  @Public()
  async stop(@Query() { token }: UnsubscribeQuery): Promise<Page> {
    const subscription = this.tokens.read(token);
    if (subscription === null) return invalidPage();
    await this.settings.switchOff(subscription.userId, subscription.kind);
    return donePage(subscription.kind);
  }
}
