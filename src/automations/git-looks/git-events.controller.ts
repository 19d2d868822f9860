import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { sendPage } from '../../common/pagination/page.js';
import { TwoPhases } from '../../database/transactions/two-phases.decorator.js';
import { BuildDto, withBuildWarnings } from '../../native-builds/builds/build.dto.js';
import { BuildsPresenter } from '../../native-builds/builds/builds.presenter.js';
import { AutomationRuns } from './automation-runs.service.js';
import { GitEventDto, RunAutomationDto, toGitEventDto } from './git-event.dto.js';
import { GitEventsService } from './git-events.service.js';

@ApiTags('Automations')
@Controller('apps/:appId')
export class GitEventsController {
  constructor(
    private readonly gitEvents: GitEventsService,
    private readonly runs: AutomationRuns,
    private readonly builds: BuildsPresenter,
  ) {}

  /**
   * Lists what automations have made of changes of the repository within 30 days, newest first: why a push was built, or
   * was not. Changes of refs that no automation matches are not listed.
   */
  @Get('git-events')
  @Requires('automations:read')
  @ApiPage(GitEventDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GitEventDto[]> {
    return sendPage(response, query, await this.gitEvents.list(app.id, query), toGitEventDto);
  }

  /**
   * Builds the newest commit of a branch or tag that the automation matches, as its builds are, whatever the message of the
   * commit says. The build is the caller's. It takes the permissions for all that the automation does, of the caller and of
   * the user who saved the automation.
   */
  @Post('automations/:automationId/run')
  @TwoPhases()
  @Requires('builds:write')
  @ApiCreatedResponse({ type: BuildDto })
  @ApiErrors(
    'app_repository_not_found',
    'automation_disabled',
    'build_number_unavailable',
    'build_numbers_used_up',
    'certificate_not_found',
    'certificate_required',
    'certificate_unfit',
    'channel_not_found',
    'configuration_not_found',
    'destination_not_found',
    'environment_full',
    'environment_not_found',
    'git_connection_restricted',
    'git_credentials_refused',
    'git_server_failed',
    'invalid_git_ref',
    'limit_reached',
    'provisioning_profile_unfit',
    'runner_missing',
    'use_restricted',
  )
  async run(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('automationId') id: string,
    @Body() { gitRef }: RunAutomationDto,
  ): Promise<() => Promise<BuildDto>> {
    const start = await this.runs.prepare(caller, app, id, gitRef);
    return async () => {
      const { build, warnings } = await start();
      return withBuildWarnings(await this.builds.presentOne(build), warnings);
    };
  }
}
