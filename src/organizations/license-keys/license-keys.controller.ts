import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { CreateLicenseKeyDto } from './create-license-key.dto.js';
import { GetLicenseKeyQuery } from './get-license-key-query.dto.js';
import { LicenseKeyDto } from './license-key.dto.js';
import { LicenseKeysPresenter } from './license-keys.presenter.js';
import { LicenseKeysService } from './license-keys.service.js';
import { UpdateLicenseKeyDto } from './update-license-key.dto.js';

@ApiTags('License keys')
@Controller('organizations/:organizationId/license-keys')
export class LicenseKeysController {
  constructor(
    private readonly licenseKeys: LicenseKeysService,
    private readonly presenter: LicenseKeysPresenter,
  ) {}

  /** All license keys of the organization, by name, without pages. */
  @Get()
  @NoStore()
  @Requires('license-keys:read')
  async list(
    @IdParam('organizationId') organizationId: string,
    @Query() query: GetLicenseKeyQuery,
  ): Promise<LicenseKeyDto[]> {
    return this.presenter.present(await this.licenseKeys.list(organizationId), query.relations);
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

  /** One license key. */
  @Get(':licenseKeyId')
  @NoStore()
  @Requires('license-keys:read')
  async get(
    @IdParam('organizationId') organizationId: string,
    @IdParam('licenseKeyId') licenseKeyId: string,
    @Query() query: GetLicenseKeyQuery,
  ): Promise<LicenseKeyDto> {
    return this.presenter.presentOne(
      await this.licenseKeys.get(organizationId, licenseKeyId),
      query.relations,
    );
  }

  /**
   * Changes a license key; absent fields stay as they are, `packageIds` replaces all packages. 409 `license_key_locked`
   * when that would change the packages before `lockedUntil`.
   */
  @Patch(':licenseKeyId')
  @NoStore()
  @Requires('license-keys:write')
  @ApiErrors(409)
  async update(
    @IdParam('organizationId') organizationId: string,
    @IdParam('licenseKeyId') licenseKeyId: string,
    @Body() body: UpdateLicenseKeyDto,
  ): Promise<LicenseKeyDto> {
    return this.presenter.presentOne(await this.licenseKeys.update(organizationId, licenseKeyId, body));
  }

  /** Deletes a license key, which is invalid at once. */
  @Delete(':licenseKeyId')
  @HttpCode(204)
  @Requires('license-keys:write')
  async delete(
    @IdParam('organizationId') organizationId: string,
    @IdParam('licenseKeyId') licenseKeyId: string,
  ): Promise<void> {
    await this.licenseKeys.delete(organizationId, licenseKeyId);
  }

  /** Gives a license key a new key. The old one is invalid at once; name and packages stay. */
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
