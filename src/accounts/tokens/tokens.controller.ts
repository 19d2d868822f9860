import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { memberErrors, Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import {
  CreateTokenDto,
  RotateTokenDto,
  IssuedTokenDto,
  toIssuedTokenDto,
  TokenDto,
  toTokenDto,
  UpdateTokenDto,
} from './token.dto.js';
import { TokensService } from './tokens.service.js';

@ApiTags('Tokens')
@Controller('tokens')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  /**
   * Lists the caller's API tokens, newest first, without their secrets. With a token that is limited to organizations or
   * apps, only itself and tokens whose scope is a subset of its own.
   */
  @Get()
  @Requires('account:read')
  @ApiPage(TokenDto)
  async list(
    @Caller() caller: Principal,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TokenDto[]> {
    return sendPage(response, query, await this.tokens.list(caller, query), toTokenDto);
  }

  /**
   * Creates an API token for the caller. Only this response contains the secret (`token`). A token can create only tokens
   * whose scope is a subset of its own and that expire no later. A session can create tokens within 15 minutes of its
   * sign-in. An unknown field, such as a misspelt limit, gets a 400.
   */
  @Post()
  @ApiSuccess('The new token with its secret, which only this response contains.')
  @NoStore()
  @Requires('account:write')
  @ApiErrors(
    'app_not_found',
    'organization_not_found',
    'recent_sign_in_required',
    'limit_reached',
    ...memberErrors,
  )
  async create(@Caller() caller: Principal, @Body() body: CreateTokenDto): Promise<IssuedTokenDto> {
    return toIssuedTokenDto(await this.tokens.create(caller, body));
  }

  /** Gets one of the caller's API tokens that the list contains, without its secret. */
  @Get(':tokenId')
  @Requires('account:read')
  async get(@Caller() caller: Principal, @IdParam('tokenId') tokenId: string): Promise<TokenDto> {
    return toTokenDto(await this.tokens.get(caller, tokenId));
  }

  /**
   * Updates an API token, but not its secret. Omitted fields do not change; `null` clears a field. A token can update only
   * tokens whose scope is, and stays, a subset of its own and that expire no later. An unknown field gets a 400.
   */
  @Patch(':tokenId')
  @Requires('account:write')
  @ApiErrors('app_not_found', 'organization_not_found', ...memberErrors)
  async update(
    @Caller() caller: Principal,
    @IdParam('tokenId') tokenId: string,
    @Body() body: UpdateTokenDto,
  ): Promise<TokenDto> {
    return toTokenDto(await this.tokens.update(caller, tokenId, body));
  }

  /**
   * Revokes an API token at once. A token can revoke itself, and tokens whose scope is a subset of its own and that expire
   * no later.
   */
  @Delete(':tokenId')
  @HttpCode(204)
  @Requires('account:write')
  async delete(@Caller() caller: Principal, @IdParam('tokenId') tokenId: string): Promise<void> {
    await this.tokens.delete(caller, tokenId);
  }

  /**
   * Replaces the secret of an API token. Only this response contains the new one (`token`). The old secret stays valid for
   * `overlapSeconds`; an older one from an earlier rotation becomes invalid at once. The last of several simultaneous
   * rotations wins. Name, expiry and scope do not change. A session can rotate tokens within 15 minutes of its sign-in.
   */
  @Post(':tokenId/rotate')
  @ApiSuccess('The token with its new secret, which only this response contains.')
  @HttpCode(200)
  @NoStore()
  @Requires('account:write')
  @ApiErrors('recent_sign_in_required')
  @ApiBody({ type: RotateTokenDto, required: false })
  async rotate(
    @Caller() caller: Principal,
    @IdParam('tokenId') tokenId: string,
    @Body() body: RotateTokenDto,
  ): Promise<IssuedTokenDto> {
    return toIssuedTokenDto(await this.tokens.rotate(caller, tokenId, body.overlapSeconds ?? 0));
  }
}
