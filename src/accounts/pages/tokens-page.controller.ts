import { Body } from '@nestjs/common';
import { MAX_LIMIT } from '../../common/pagination/page-query.dto.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { isUuid } from '../../common/validation/uuid.js';
import type { Token } from '../tokens/token.entity.js';
import { TokensService } from '../tokens/tokens.service.js';
import { IdForm, TokenForm } from './forms.dto.js';
import { CurrentVisit, type Page, principalOf, type Redirection, SignedInVisit } from './page.js';
import { GetPage, PageController, PostForm } from './page.decorators.js';
import { SignedIn } from './signed-in.decorator.js';
import { lifetimes, tokensPage } from './tokens.views.js';

const DAY = 24 * 60 * 60 * 1000;

/** The page with the visitor's API tokens. */
@SignedIn()
@PageController('settings/tokens')
export class TokensPageController {
  constructor(private readonly tokens: TokensService) {}

  @GetPage()
  async show(@CurrentVisit() visit: SignedInVisit): Promise<Page> {
    return tokensPage(visit, await this.list(visit));
  }

  @PostForm()
  async create(@CurrentVisit() visit: SignedInVisit, @Body() form: TokenForm): Promise<Page> {
    const name = form.name.trim();
    if (name === '' || name.length > 128 || /\p{Cc}/u.test(name)) {
      const failure = 'Give the token a name of 1 to 128 characters.';
      return tokensPage(visit, await this.list(visit), { failure });
    }
    const { days } = lifetimes.find(({ value }) => value === form.expires) ?? lifetimes[0];
    const expiresAt = days === null ? null : new Date(Date.now() + days * DAY);
    const { secret } = await this.tokens.create(principalOf(visit), { name, expiresAt });
    return tokensPage(visit, await this.list(visit), { created: secret });
  }

  @PostForm('delete')
  async delete(@CurrentVisit() visit: SignedInVisit, @Body() { id }: IdForm): Promise<Redirection> {
    if (!isUuid(id)) throw new NotFoundError('Token');
    await this.tokens.delete(principalOf(visit), id);
    return { redirectTo: '/settings/tokens' };
  }

  /** The newest tokens. The API lists all of them. */
  private async list(visit: SignedInVisit): Promise<readonly Token[]> {
    return (await this.tokens.list(principalOf(visit), { limit: MAX_LIMIT })).items;
  }
}
