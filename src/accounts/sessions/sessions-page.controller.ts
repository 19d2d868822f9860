import { Body } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { isUuid } from '../../common/validation/uuid.js';
import { Config } from '../../config/config.js';
import { providerNameOf } from '../../config/groups/sign-in-config.js';
import { SessionsService } from './sessions.service.js';
import { IdForm } from '../../pages/forms/forms.dto.js';
import { CurrentVisit, type Page, type Redirection, SignedInVisit } from '../../pages/views/page.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { sessionsPage } from './sessions.views.js';
import { SignedIn } from '../../pages/requests/signed-in.decorator.js';

/** The page with the visitor's active sessions. */
@SignedIn()
@PageController('settings/sessions')
export class SessionsPageController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly config: Config,
  ) {}

  @GetPage()
  async show(@CurrentVisit() visit: SignedInVisit): Promise<Page> {
    const { items } = await this.sessions.list(visit.userId, { limit: 100 });
    return sessionsPage(visit, items, providerNameOf(this.config.oidc));
  }

  @PostForm('delete')
  async delete(@CurrentVisit() visit: SignedInVisit, @Body() { id }: IdForm): Promise<Redirection> {
    if (!isUuid(id)) throw new NotFoundError('Session');
    await this.sessions.delete(visit.userId, id);
    return { redirectTo: '/settings/sessions' };
  }
}
