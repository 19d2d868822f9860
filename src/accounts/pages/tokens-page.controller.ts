import { Body } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { isUuid } from '../../common/validation/uuid.js';
import { OwnTokensService } from '../tokens/own-tokens.service.js';
import { IdForm, TokenForm } from './forms.dto.js';
import { CurrentVisit, type Page, type Redirection, SignedInVisit } from './page.js';
import { GetPage, PageController, PostForm } from './page.decorators.js';
import { SignedIn } from './signed-in.decorator.js';
import { lifetimes, tokensPage } from './tokens.views.js';

const DAY = 24 * 60 * 60 * 1000;

/** The visitor's API tokens. */
@SignedIn()
@PageController('settings/tokens')
export class TokensPageController {
  constructor(private readonly tokens: OwnTokensService) {}

  @GetPage()
  async show(@CurrentVisit() visit: SignedInVisit): Promise<Page> {
    return tokensPage(visit, await this.tokens.list(visit.userId));
  }

  @PostForm()
  async create(@CurrentVisit() visit: SignedInVisit, @Body() form: TokenForm): Promise<Page> {
    const name = form.name.trim();
    if (name === '' || name.length > 128 || /\p{Cc}/u.test(name)) {
      const failure = 'Give the token a name of 1 to 128 characters.';
      return tokensPage(visit, await this.tokens.list(visit.userId), { failure });
    }
    const { days } = lifetimes.find(({ value }) => value === form.expires) ?? lifetimes[0];
    const expiresAt = days === null ? null : new Date(Date.now() + days * DAY);
    const created = await this.tokens.create(visit.userId, name, expiresAt);
    return tokensPage(visit, await this.tokens.list(visit.userId), { created });
  }

  @PostForm('delete')
  async delete(@CurrentVisit() visit: SignedInVisit, @Body() { id }: IdForm): Promise<Redirection> {
    if (!isUuid(id)) throw new NotFoundError('Token');
    await this.tokens.delete(visit.userId, id);
    return { redirectTo: '/settings/tokens' };
  }
}
