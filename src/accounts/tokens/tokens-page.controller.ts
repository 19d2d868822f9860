import { Body } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { MAX_LIMIT } from '../../common/pagination/page-query.dto.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { isUuid } from '../../common/validation/uuid.js';
import { CreateTokenDto } from './create-token.dto.js';
import type { Token } from './token.entity.js';
import { TokenForm } from './token-form.dto.js';
import { TokensService } from './tokens.service.js';
import { IdForm } from '../../pages/forms/id-form.dto.js';
import { parseForm } from '../../pages/forms/parse-form.js';
import {
  CurrentVisit,
  type Page,
  principalOf,
  type Redirection,
  SignedInVisit,
} from '../../pages/views/page.js';
import { GetPage, PageController, PostForm } from '../../pages/requests/page.decorators.js';
import { requireConfirmed } from '../../pages/requests/page-errors.js';
import { SignedIn } from '../../pages/requests/signed-in.decorator.js';
import { lifetimes, tokensPage } from './tokens.views.js';

/** Milliseconds. */
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
    requireConfirmed(visit, '/settings/tokens');
    const { days } = lifetimes.find(({ value }) => value === form.expires) ?? lifetimes[0];
    const expiresAt = days === null ? null : databaseNow(days * DAY);
    const values = parseForm(CreateTokenDto, { name: form.name, expiresAt });
    if (values === null) {
      const failure = 'Give the token a name of 1 to 128 characters.';
      return tokensPage(visit, await this.list(visit), { failure });
    }
    const { secret } = await this.tokens.create(principalOf(visit), values);
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
