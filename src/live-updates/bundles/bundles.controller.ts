import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiCreatedResponse } from '@nestjs/swagger';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { Consequences } from '../../common/warnings/consequences.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { TwoPhases } from '../../database/transactions/two-phases.decorator.js';
import { BundleDto, CreateBundleDto, ListBundlesQuery, UpdateBundleDto } from './bundle.dto.js';
import { BundlePublicationService } from './publication/bundle-publication.service.js';
import { BundlesPresenter } from './bundles.presenter.js';
import { BundlesService } from './bundles.service.js';

@ApiTags('Bundles')
@Controller('apps/:appId/bundles')
export class BundlesController {
  constructor(
    private readonly bundles: BundlesService,
    private readonly publication: BundlePublicationService,
    private readonly presenter: BundlesPresenter,
    private readonly access: AppAccessService,
    private readonly consequences: Consequences,
  ) {}

  /** Lists the bundles of an app, newest first, those that are not published yet among them. */
  @Get()
  @Requires('builds:read')
  @ApiPage(BundleDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListBundlesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BundleDto[]> {
    const { items, total } = await this.bundles.list(app.id, query);
    return sendPage(response, query, { items: await this.presenter.present(items), total });
  }

  /** Gets a bundle. */
  @Get(':bundleId')
  @Requires('builds:read')
  async get(@CurrentApp() app: App, @IdParam('bundleId') bundleId: string): Promise<BundleDto> {
    return this.presenter.presentOne(await this.bundles.get(app.id, bundleId));
  }

  /**
   * Creates a web build with its bundle. Without `url`, upload the files, then publish the bundle with
   * `artifactStatus: ready`. With `url`, the bundle is registered and deployed at once. An emergency deployment requires
   * the permission `deployments:override`.
   */
  @Post()
  @TwoPhases()
  @ApiCreatedResponse({ type: BundleDto })
  @Requires('bundles:write')
  @ApiErrors(
    'build_numbers_used_up',
    'channel_frozen',
    'channel_not_found',
    'conflict',
    'insufficient_storage',
    'invalid_signature',
    'storage_quota_exceeded',
    'storage_unavailable',
    'unsigned_bundle',
  )
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Body() body: CreateBundleDto,
  ): Promise<() => Promise<BundleDto>> {
    if (body.emergency) await this.access.require(caller, app.id, 'deployments:override');
    const { channelName = null, rolloutPercentage } = body;
    const change = { kind: 'register', channelName, versions: body, share: rolloutPercentage ?? 1 } as const;
    const consequences = body.url == null ? [] : await this.consequences.of(app, change);
    return () => this.bundles.create(app, body, consequences);
  }

  /**
   * Updates a bundle. With `artifactStatus: ready`, it verifies, publishes and deploys the bundle, or changes nothing.
   * The request is safe to repeat. An emergency publication requires the permission `deployments:override`.
   */
  @Patch(':bundleId')
  @OwnTransactions()
  @Requires('bundles:write')
  @ApiErrors(
    'channel_frozen',
    'channel_not_found',
    'conflict',
    'incomplete_bundle',
    'insufficient_storage',
    'invalid_manifest',
    'invalid_signature',
    'invalid_zip',
    'storage_unavailable',
    'unsafe_reuse',
    'unsigned_bundle',
  )
  async update(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('bundleId') bundleId: string,
    @Body() body: UpdateBundleDto,
  ): Promise<BundleDto> {
    if (body.emergency) await this.access.require(caller, app.id, 'deployments:override');
    // Found while the files are verified.
    const consequences = this.consequences.of(app, {
      kind: 'publish',
      bundleId,
      isReady: body.artifactStatus === 'ready',
      versions: body,
      share: body.rolloutPercentage ?? null,
    });
    return this.publication.update(app.id, bundleId, body, consequences);
  }

  /** Deletes a bundle with its build and its deployments. Devices keep their installed bundles. */
  @Delete(':bundleId')
  @HttpCode(204)
  @Requires('bundles:write')
  @ApiErrors('build_running', 'legal_hold')
  async delete(@CurrentApp() app: App, @IdParam('bundleId') bundleId: string): Promise<void> {
    await this.bundles.delete(app.id, bundleId);
  }
}
