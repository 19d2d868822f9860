import { Body } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { isUuid } from '../../common/validation/uuid.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { IdForm } from './forms.dto.js';
import { CurrentVisit, type Page, type Redirection, SignedInVisit } from './page.js';
import { GetPage, PageController, PostForm } from './page.decorators.js';
import { sessionsPage } from './sessions.views.js';
import { SignedIn } from './signed-in.decorator.js';
import { SignInMethods } from './sign-in-methods.js';

/** The page with the visitor's active sessions. */
@SignedIn()
@PageController('settings/sessions')
export class SessionsPageController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly ways: SignInMethods,
  ) {}

  @GetPage()
  async show(@CurrentVisit() visit: SignedInVisit): Promise<Page> {
    const { items } = await this.sessions.list(visit.userId, { limit: 100 });
    return sessionsPage(visit, items, this.ways.provider);
  }

  @PostForm('delete')
  async delete(@CurrentVisit() visit: SignedInVisit, @Body() { id }: IdForm): Promise<Redirection> {
    if (!isUuid(id)) throw new NotFoundError('Session');
    await this.sessions.delete(visit.userId, id);
    return { redirectTo: '/settings/sessions' };
  }
}
