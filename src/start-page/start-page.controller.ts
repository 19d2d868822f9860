import { Req } from '@nestjs/common';
import type { Request } from 'express';
import { publicUrl } from '../common/request-origin/public-url.js';
import { Config } from '../config/config.js';
import { GetPage, PageController } from '../pages/requests/page.decorators.js';
import { SignedIn } from '../pages/requests/signed-in.decorator.js';
import { CurrentVisit, type Page, principalOf, SignedInVisit } from '../pages/views/page.js';
import { StartPageService } from './start-page.service.js';
import { startPage } from './start-page.views.js';

/** The page that everything starts from. */
@SignedIn()
@PageController('')
export class StartPageController {
  constructor(
    private readonly start: StartPageService,
    private readonly config: Config,
  ) {}

  @GetPage()
  async show(@CurrentVisit() visit: SignedInVisit, @Req() request: Request): Promise<Page> {
    const { http } = this.config;
    const server = { origin: publicUrl(http, request), hasDocs: http.docs };
    return startPage(server, await this.start.overview(principalOf(visit)));
  }
}
