import { Body, Query } from '@nestjs/common';
import { MAX_LIMIT } from '../../common/pagination/page-query.dto.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { isUuid } from '../../common/validation/uuid.js';
import { Config } from '../../config/config.js';
import { IdForm } from '../../pages/forms/forms.dto.js';
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
import { MAX_SCOPE_IDS } from '../tokens/scope.decorators.js';
import { ScopeResolver } from '../tokens/scope-resolver.js';
import { isTokenInFile } from '../tokens/stored-token.js';
import { TokensService } from '../tokens/tokens.service.js';
import { readTokenForm } from './read-token-form.js';
import { deleteTokenPage } from './delete-token.views.js';
import { TokenForm } from './token-form.dto.js';
import { type TokensPageContent, tokensPage } from './tokens.views.js';

/** The page with the visitor's API tokens. */
@SignedIn()
@PageController('settings/tokens')
export class TokensPageController {
  constructor(
    private readonly tokens: TokensService,
    private readonly scopes: ScopeResolver,
    private readonly config: Config,
  ) {}

  @GetPage()
  async show(@CurrentVisit() visit: SignedInVisit): Promise<Page> {
    return tokensPage(visit, await this.content(visit));
  }

  @PostForm()
  async create(@CurrentVisit() visit: SignedInVisit, @Body() form: TokenForm): Promise<Page> {
    requireConfirmed(visit, '/settings/tokens');
    const values = readTokenForm(form);
    if (typeof values === 'string') {
      return tokensPage(visit, { ...(await this.content(visit)), form, failure: values });
    }
    const { secret } = await this.tokens.create(principalOf(visit), values);
    return tokensPage(visit, { ...(await this.content(visit)), created: secret });
  }

  /** Shows what would be deleted, and asks. */
  @GetPage('delete')
  async confirmDelete(@CurrentVisit() visit: SignedInVisit, @Query() { id }: IdForm): Promise<Page> {
    const token = await this.tokens.get(principalOf(visit), idOf(id));
    return deleteTokenPage(visit, token, await isTokenInFile(this.config.storage.dataDir, token.hash));
  }

  @PostForm('delete')
  async delete(@CurrentVisit() visit: SignedInVisit, @Body() { id }: IdForm): Promise<Redirection> {
    await this.tokens.delete(principalOf(visit), idOf(id));
    return { redirectTo: '/settings/tokens' };
  }

  /** The newest tokens. The API lists all of them. */
  private async content(visit: SignedInVisit): Promise<TokensPageContent> {
    const caller = principalOf(visit);
    const { items } = await this.tokens.list(caller, { limit: MAX_LIMIT });
    return { tokens: items, choices: await this.scopes.choices(caller, MAX_SCOPE_IDS) };
  }
}

/** @throws NotFoundError */
function idOf(id: string): string {
  if (!isUuid(id)) throw new NotFoundError('Token');
  return id;
}
