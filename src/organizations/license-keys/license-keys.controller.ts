import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import {
  CreateLicenseKeyDto,
  GetLicenseKeyQuery,
  LicenseKeyDto,
  UpdateLicenseKeyDto,
} from './license-key.dto.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { ActivitiesService } from '../activities/activities.service.js';
import { LicenseKeysPresenter } from './license-keys.presenter.js';
import { LicenseKeysService } from './license-keys.service.js';

@ApiTags('License keys')
@Controller('organizations/:organizationId/license-keys')
export class LicenseKeysController {
  constructor(
    private readonly licenseKeys: LicenseKeysService,
    private readonly presenter: LicenseKeysPresenter,
    private readonly activities: ActivitiesService,
  ) {}

  /** Lists all license keys of an organization, by name. This list has no pages. */
  @Get()
  @NoStore()
  @OwnTransactions()
  @Requires('license-keys:read')
  async list(
    @IdParam('organizationId') organizationId: string,
    @Query() query: GetLicenseKeyQuery,
  ): Promise<LicenseKeyDto[]> {
    const found = await this.licenseKeys.list(organizationId);
    const count = found.length;
    await this.activities.recordOncePerMinute({ kind: 'license-keys-read', organizationId, count });
    return this.presenter.present(found, query.relations);
  }

  /** Creates a license key for packages that the operator offers. */
  @Post()
  @NoStore()
  @Requires('license-keys:write')
  async create(
    @IdParam('organizationId') organizationId: string,
    @Body() body: CreateLicenseKeyDto,
  ): Promise<LicenseKeyDto> {
    return this.presenter.presentOne(await this.licenseKeys.create(organizationId, body));
  }

  /** Gets a license key. */
  @Get(':licenseKeyId')
  @NoStore()
  @OwnTransactions()
  @Requires('license-keys:read')
  async get(
    @IdParam('organizationId') organizationId: string,
    @IdParam('licenseKeyId') licenseKeyId: string,
    @Query() query: GetLicenseKeyQuery,
  ): Promise<LicenseKeyDto> {
    const found = await this.licenseKeys.get(organizationId, licenseKeyId);
    const read = { kind: 'license-keys-read', organizationId, count: 1, detail: found.id } as const;
    await this.activities.recordOncePerMinute(read);
    return this.presenter.presentOne(found, query.relations);
  }

  /**
   * Updates a license key. Omitted fields do not change; `packageIds` replaces all packages. The packages cannot change
   * before `lockedUntil`.
   */
  @Patch(':licenseKeyId')
  @NoStore()
  @Requires('license-keys:write')
  @ApiErrors('license_key_locked')
  async update(
    @IdParam('organizationId') organizationId: string,
    @IdParam('licenseKeyId') licenseKeyId: string,
    @Body() body: UpdateLicenseKeyDto,
  ): Promise<LicenseKeyDto> {
    return this.presenter.presentOne(await this.licenseKeys.update(organizationId, licenseKeyId, body));
  }

  /** Deletes a license key. It is invalid at once. */
  @Delete(':licenseKeyId')
  @HttpCode(204)
  @Requires('license-keys:write')
  async delete(
    @IdParam('organizationId') organizationId: string,
    @IdParam('licenseKeyId') licenseKeyId: string,
  ): Promise<void> {
    await this.licenseKeys.delete(organizationId, licenseKeyId);
  }

  /** Replaces the key of a license key. The old key is invalid at once. Name and packages do not change. */
  @Post(':licenseKeyId/rotate')
  @HttpCode(200)
  @NoStore()
  @Requires('license-keys:write')
  async rotate(
    @IdParam('organizationId') organizationId: string,
    @IdParam('licenseKeyId') licenseKeyId: string,
  ): Promise<LicenseKeyDto> {
    return this.presenter.presentOne(await this.licenseKeys.rotate(organizationId, licenseKeyId));
  }
}
