import { SessionsService } from '../sessions/sessions.service.js';
import { CurrentVisit, isSignedIn, type Redirection, Visit } from '../../pages/views/page.js';
import { PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { createAnonymousCookie } from '../../pages/requests/page-cookie.js';

/** Signs the visitor out. */
@PageController('logout')
export class LogoutController {
  constructor(private readonly sessions: SessionsService) {}

  @PostForm()
  async send(@CurrentVisit() visit: Visit): Promise<Redirection> {
    if (isSignedIn(visit)) await this.sessions.delete(visit.userId, visit.sessionId);
    visit.setCookie(createAnonymousCookie());
    return { redirectTo: '/login' };
  }
}
