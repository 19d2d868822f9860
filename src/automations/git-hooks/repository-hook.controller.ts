import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { LinkedRepositoryService } from '../../apps/repository/linked-repository.service.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { Config } from '../../config/config.js';
import { LooksService } from '../git-looks/looks.service.js';
import { RepositoryHookDto, RotatedHookDto } from './git-hook.dto.js';
import type { GitHook } from './git-hook.entity.js';
import { GitHooksService } from './git-hooks.service.js';
import { TOKEN_HEADER } from './hook-delivery.js';

@ApiTags('Automations')
@Controller('apps/:appId/repository/hook')
export class RepositoryHookController {
  constructor(
    private readonly hooks: GitHooksService,
    private readonly looks: LooksService,
    private readonly links: LinkedRepositoryService,
    private readonly config: Config,
  ) {}

  /** Gets how Slipway learns of pushes to the repository of an app: the hook, if there is one, and the looks. */
  @Get()
  @Requires('automations:read')
  @ApiErrors('app_repository_not_found')
  async get(@CurrentApp() app: App, @Req() request: Request): Promise<RepositoryHookDto> {
    const repository = await this.links.get(app.id);
    const hook = await this.hooks.find(app.organizationId, repository);
    const look = await this.looks.find(app.id);
    return {
      provider: repository.provider,
      address: hook && this.addressOf(hook, request),
      lastEventAt: hook?.lastEventAt?.toISOString() ?? null,
      lastError: hook?.lastError ?? null,
      lastErrorAt: hook?.lastErrorAt?.toISOString() ?? null,
      lastLookAt: look?.lookedAt?.toISOString() ?? null,
      lastLookError: look?.failure ?? null,
      nextLookAt: look?.nextLookAt.toISOString() ?? null,
      unchangedLooks: look?.unchangedLooks ?? 0,
    };
  }

  /**
   * Makes the hook of the repository with a secret, or replaces the secret immediately. Give address and secret to the git
   * server. All apps of the organization that are linked to the repository share its hook.
   */
  @Post('rotate-secret')
  @HttpCode(200)
  @NoStore()
  @Requires('automations:write')
  @ApiErrors('app_repository_not_found', 'git_hook_unsupported')
  async rotateSecret(
    @Caller() caller: Principal,
    @CurrentApp() app: App,
    @Req() request: Request,
  ): Promise<RotatedHookDto> {
    const { hook, secret, otherApps, moreApps } = await this.hooks.rotate(caller, app);
    const header = hook.provider === 'git_http' ? TOKEN_HEADER : null;
    return { address: this.addressOf(hook, request), header, secret, otherApps: [...otherApps], moreApps };
  }

  private addressOf({ provider, id }: GitHook, request: Request): string {
    return `${publicUrl(this.config.http, request)}/v1/git-events/${provider}/${id}`;
  }
}
