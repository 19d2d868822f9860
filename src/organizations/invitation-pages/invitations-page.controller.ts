import { Body } from '@nestjs/common';
import { IdForm } from '../../pages/forms/forms.dto.js';
import {
  CurrentVisit,
  type Page,
  principalOf,
  type Redirection,
  SignedInVisit,
} from '../../pages/views/page.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { SignedIn } from '../../pages/requests/signed-in.decorator.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { isUuid } from '../../common/validation/uuid.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { invitationsPage, unverifiedPage } from './invitations.views.js';
import { InvitationsService } from '../invitations/invitations.service.js';

/** The page with the visitor's invitations. */
@SignedIn()
@PageController('settings/invitations')
export class InvitationsPageController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly users: UsersService,
  ) {}

  @GetPage()
  async show(@CurrentVisit() visit: SignedInVisit): Promise<Page> {
    const { emailVerified } = await this.users.get(visit.userId);
    if (!emailVerified) return unverifiedPage(visit);
    const { items } = await this.invitations.listReceived(principalOf(visit), { limit: 100 });
    return invitationsPage(visit, items);
  }

  @PostForm('accept')
  async accept(@CurrentVisit() visit: SignedInVisit, @Body() { id }: IdForm): Promise<Redirection> {
    await this.invitations.accept(principalOf(visit), requireId(id));
    return { redirectTo: '/settings/invitations' };
  }

  @PostForm('reject')
  async reject(@CurrentVisit() visit: SignedInVisit, @Body() { id }: IdForm): Promise<Redirection> {
    await this.invitations.reject(principalOf(visit), requireId(id));
    return { redirectTo: '/settings/invitations' };
  }
}

function requireId(id: string): string {
  if (!isUuid(id)) throw new NotFoundError('Invitation');
  return id;
}
