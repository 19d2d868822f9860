import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { CreateTokenDto } from './create-token.dto.js';
import { RotateTokenDto } from './rotate-token.dto.js';
import { IssuedTokenDto, toIssuedTokenDto, TokenDto, toTokenDto } from './token.dto.js';
import { TokensService } from './tokens.service.js';
import { UpdateTokenDto } from './update-token.dto.js';

@ApiTags('Tokens')
@Controller('tokens')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  /** The caller's own API tokens, newest first, without their secrets. */
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
   * Creates an API token for the caller. The answer is the only one that shows the secret (`token`). A token creates
   * only tokens that are at most as wide as itself and expire no later.
   */
  @Post()
  @NoStore()
  @Requires('account:write')
  @ApiErrors(404)
  async create(@Caller() caller: Principal, @Body() body: CreateTokenDto): Promise<IssuedTokenDto> {
    return toIssuedTokenDto(await this.tokens.create(caller, body));
  }

  /** One of the caller's own API tokens, without its secret. */
  @Get(':tokenId')
  @Requires('account:read')
  async get(@Caller() caller: Principal, @IdParam('tokenId') tokenId: string): Promise<TokenDto> {
    return toTokenDto(await this.tokens.get(caller, tokenId));
  }

  /**
   * Changes an API token; absent fields stay as they are, `null` clears. The secret stays. A token changes only tokens
   * that are, and stay, at most as wide as itself and expire no later.
   */
  @Patch(':tokenId')
  @Requires('account:write')
  async update(
    @Caller() caller: Principal,
    @IdParam('tokenId') tokenId: string,
    @Body() body: UpdateTokenDto,
  ): Promise<TokenDto> {
    return toTokenDto(await this.tokens.update(caller, tokenId, body));
  }

  /** Revokes an API token at once; it may be the one that is sent. Only tokens at most as wide as that one. */
  @Delete(':tokenId')
  @HttpCode(204)
  @Requires('account:write')
  async delete(@Caller() caller: Principal, @IdParam('tokenId') tokenId: string): Promise<void> {
    await this.tokens.delete(caller, tokenId);
  }

  /**
   * Gives an API token a new secret. The answer is the only one that shows it (`token`). The old secret stays valid
   * for `overlapSeconds`, and one that was still valid from a rotation before becomes invalid at once. Of rotations at
   * the same time the last wins. Name, expiry and limits stay.
   */
  @Post(':tokenId/rotate')
  @HttpCode(200)
  @NoStore()
  @Requires('account:write')
  @ApiBody({ type: RotateTokenDto, required: false })
  async rotate(
    @Caller() caller: Principal,
    @IdParam('tokenId') tokenId: string,
    @Body() body: RotateTokenDto,
  ): Promise<IssuedTokenDto> {
    return toIssuedTokenDto(await this.tokens.rotate(caller, tokenId, body.overlapSeconds ?? 0));
  }
}
