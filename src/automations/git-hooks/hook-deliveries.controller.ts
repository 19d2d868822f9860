import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { Public } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { GitHooksService } from './git-hooks.service.js';
import { hookProviders, TOKEN_HEADER } from './hook-delivery.js';

const PUSH = {
  ref: 'refs/heads/main',
  before: '0000000000000000000000000000000000000000',
  after: '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12',
};

@ApiTags('Automations')
@Controller('git-events')
export class HookDeliveriesController {
  constructor(private readonly hooks: GitHooksService) {}

  /**
   * Takes an event of a git server, and looks at the repository soon after. The server proves that it knows the secret of the
   * hook: GitHub signs the body, other servers send the secret in `X-Hook-Token`. What the body says is a hint only, so any
   * body is fine, up to 26 MiB.
   */
  @Post(':provider/:gitHookId')
  @HttpCode(202)
  @OwnTransactions()
  @Public()
  // Any number of repositories share the address of their server.
  @RateLimit('none')
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded')
  @ApiBody({ required: false, schema: { type: 'object', additionalProperties: true, example: PUSH } })
  @ApiParam({ name: 'provider', enum: hookProviders })
  @ApiHeader({ name: 'X-Hub-Signature-256', description: 'Of GitHub: `sha256=` and the HMAC of the body.' })
  @ApiHeader({ name: TOKEN_HEADER, description: 'Of other servers: the secret.' })
  @ApiErrors('too_large')
  receive(
    @Param('provider') provider: string,
    @IdParam('gitHookId') id: string,
    @Req() request: Request,
  ): Promise<void> {
    return this.hooks.receive(provider, id, request);
  }
}
