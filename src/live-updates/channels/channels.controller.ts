import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AppsService } from '../../apps/apps/apps.service.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { memberErrors, OptionalToken, Requires } from '../../common/access/requires.decorator.js';
import { UnauthenticatedError } from '../../common/errors/app-error.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import type { IfMatch as Condition } from '../../common/etags/if-match.js';
import { IfMatch } from '../../common/etags/if-match.decorator.js';
import { sendVersioned } from '../../common/etags/version.js';
import { rawQueryValue, readingsOf } from '../../common/http/raw-query.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { CommentDto } from '../../common/validation/comment.dto.js';
import { Consequences } from '../../common/warnings/consequences.js';
import { toWarningDtos } from '../../common/warnings/warning.dto.js';
import { TwoPhases } from '../../database/transactions/two-phases.decorator.js';
import { ChannelGovernanceService } from './channel-governance.service.js';
import {
  ChannelDto,
  DiscoveredChannelDto,
  toDiscoveredChannelDto,
  CreateChannelDto,
  DeleteChannelQuery,
  GetChannelQuery,
  ListChannelsQuery,
  ListedChannelDto,
  UpdateChannelDto,
} from './channel.dto.js';
import { ChannelsPresenter } from './channels.presenter.js';
import { ChannelsService } from './channels.service.js';

@ApiTags('Channels')
@Controller('apps/:appId/channels')
export class ChannelsController {
  constructor(
    private readonly channels: ChannelsService,
    private readonly presenter: ChannelsPresenter,
    private readonly apps: AppsService,
    private readonly access: AppAccessService,
    private readonly governance: ChannelGovernanceService,
    private readonly consequences: Consequences,
  ) {}

  /**
   * Lists the channels of an app, by name. Without a token or the session of a page, this is channel discovery: it shows only `id` and `name`,
   * searches only names, and only if the app allows it (`appChannelDiscoveryEnabled`).
   */
  @Get()
  @OptionalToken({ forPages: true })
  @RateLimit('devices')
  @ApiPage(ListedChannelDto)
  @ApiErrors('not_authenticated', ...memberErrors)
  async list(
    @IdParam('appId') appId: string,
    @Caller() caller: Principal | undefined,
    @Query() query: ListChannelsQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ChannelDto[] | DiscoveredChannelDto[]> {
    if (caller === undefined) {
      response.setHeader('Cache-Control', 'no-store');
      if (!(await this.apps.isDiscoverable(appId))) throw new UnauthenticatedError();
      const raw = rawQueryValue(request.originalUrl, 'query');
      const texts = raw === null ? [] : readingsOf(raw);
      return sendPage(
        response,
        query,
        await this.channels.discover(appId, query, texts),
        toDiscoveredChannelDto,
      );
    }
    await this.access.require(caller, appId, 'channels:read');
    const { items, total } = await this.channels.list(appId, query);
    return sendPage(response, query, { items: await this.presenter.present(items, query.relations), total });
  }

  /** Creates a channel. */
  @Post()
  @Requires('channels:write')
  @ApiErrors('channel_name_taken', 'limit_reached', 'conflict')
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Body() body: CreateChannelDto,
  ): Promise<ChannelDto> {
    await this.governance.authorizeCreation(caller, app.id, body);
    return this.presenter.presentOne(await this.channels.create(app.id, body));
  }

  /** Gets a channel. */
  @Get(':channelId')
  @Requires('channels:read')
  async get(
    @CurrentApp() app: App,
    @IdParam('channelId') channelId: string,
    @Query() query: GetChannelQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ChannelDto> {
    const channel = await this.channels.get(app.id, channelId);
    return sendVersioned(response, channel, await this.presenter.presentOne(channel, query.relations));
  }

  /**
   * Updates a channel. Omitted fields do not change; `null` clears a field. Approvals, freeze windows and `allowedRefs`, and
   * the name of a channel that has them, require the permission `channels:govern`. `warnings` says what the change means for
   * devices of the channel.
   */
  @Patch(':channelId')
  @TwoPhases()
  @ApiOkResponse({ type: ChannelDto })
  @Requires('channels:write')
  @ApiErrors('channel_name_taken')
  async update(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('channelId') channelId: string,
    @Body() body: UpdateChannelDto,
    @IfMatch() ifMatch?: Condition,
  ): Promise<() => Promise<ChannelDto>> {
    const warnings = await this.consequences.of(app, { kind: 'channel', channelId, changes: body });
    return async () => {
      await this.governance.authorizeChange(caller, app.id, channelId, body);
      const channel = await this.channels.update(app.id, channelId, body, ifMatch);
      return { ...(await this.presenter.presentOne(channel)), warnings: toWarningDtos(warnings) };
    };
  }

  /**
   * Deletes the channel with this name and its deployments. Devices keep their installed bundles. A channel with approvals,
   * a freeze or `allowedRefs` requires the permission `channels:govern`.
   */
  @Delete()
  @HttpCode(204)
  @Requires('channels:write')
  @ApiErrors('channel_not_found')
  async deleteByName(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Query() query: DeleteChannelQuery,
    @IfMatch() ifMatch?: Condition,
  ): Promise<void> {
    await this.governance.authorizeDeletion(caller, app.id, query);
    await this.channels.deleteByName(app.id, query.name, ifMatch);
  }

  /**
   * Deletes a channel and its deployments. Devices keep their installed bundles. A channel with approvals, a freeze
   * or `allowedRefs` requires the permission `channels:govern`.
   */
  @Delete(':channelId')
  @HttpCode(204)
  @Requires('channels:write')
  async delete(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('channelId') channelId: string,
    @IfMatch() ifMatch?: Condition,
  ): Promise<void> {
    await this.governance.authorizeDeletion(caller, app.id, { id: channelId });
    await this.channels.delete(app.id, channelId, ifMatch);
  }

  /** Pauses a channel: its devices get no updates until you resume it. */
  @Post(':channelId/pause')
  @HttpCode(204)
  @Requires('channels:write')
  @ApiBody({ type: CommentDto, required: false })
  async pause(
    @CurrentApp() app: App,
    @IdParam('channelId') channelId: string,
    @Body() { comment = null }: CommentDto,
  ): Promise<void> {
    await this.channels.pause(app.id, channelId, comment);
  }

  /** Resumes a paused channel. */
  @Post(':channelId/resume')
  @HttpCode(204)
  @Requires('channels:write')
  @ApiBody({ type: CommentDto, required: false })
  async resume(
    @CurrentApp() app: App,
    @IdParam('channelId') channelId: string,
    @Body() { comment = null }: CommentDto,
  ): Promise<void> {
    await this.channels.resume(app.id, channelId, comment);
  }
}
