import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  Query,
  Res,
  UploadedFile,
  UseInterceptors,
} from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
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
import { sendPage } from '../../common/pagination/page.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import type { UploadedCertificate } from '../certificates/uploaded-file.js';
import { ProfileFileInterceptor } from './profile-file.interceptor.js';
import {
  CreateProvisioningProfileDto,
  LinkProvisioningProfilesDto,
  LinkProvisioningProfilesQuery,
  ListProvisioningProfilesQuery,
  ProvisioningProfileDto,
  toProvisioningProfileDto,
} from './provisioning-profile.dto.js';
import { ProvisioningProfilesService } from './provisioning-profiles.service.js';

@ApiTags('Certificates')
@Controller('apps/:appId/provisioning-profiles')
export class ProvisioningProfilesController {
  constructor(private readonly profiles: ProvisioningProfilesService) {}

  /** Lists the provisioning profiles of an app, newest first. */
  @Get()
  @Requires('certificates:read')
  @ApiPage(ProvisioningProfileDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListProvisioningProfilesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProvisioningProfileDto[]> {
    return sendPage(response, query, await this.profiles.list(app.id, query), toProvisioningProfileDto);
  }

  /**
   * Uploads a provisioning profile, which is read to check it. A profile that no certificate has is deleted after a day. If
   * the certificate has one with the same UUID, it is replaced. The profiles of a certificate have at most 16 MiB together. If the use of the certificate is restricted, this requires the
   * permission `certificates:use`.
   */
  @Post()
  @OwnTransactions()
  @Requires('certificates:write')
  @ApiConsumes('multipart/form-data')
  @UseInterceptors(ProfileFileInterceptor)
  @ApiErrors('certificate_not_found', 'certificate_reader_busy', 'limit_reached')
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Body() body: CreateProvisioningProfileDto,
    @UploadedFile() file: UploadedCertificate | undefined,
  ): Promise<ProvisioningProfileDto> {
    return toProvisioningProfileDto(await this.profiles.create(caller, app, body, file));
  }

  /**
   * Links provisioning profiles to a certificate for iOS: all of them, or none. Profiles of another certificate move. Of
   * several with the same UUID, the certificate keeps the one that was uploaded last; the others are deleted. If the use of a
   * certificate, of now or before, is restricted, this requires the permission `certificates:use`.
   */
  @Patch()
  @Requires('certificates:write')
  @ApiErrors('certificate_not_found', 'provisioning_profile_not_found', 'limit_reached')
  async link(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Query() { ids }: LinkProvisioningProfilesQuery,
    @Body() { appCertificateId }: LinkProvisioningProfilesDto,
  ): Promise<ProvisioningProfileDto[]> {
    const profiles = await this.profiles.link(caller, app.id, ids, appCertificateId);
    return profiles.map(toProvisioningProfileDto);
  }

  /** Gets a provisioning profile. */
  @Get(':provisioningProfileId')
  @Requires('certificates:read')
  async get(
    @CurrentApp() app: App,
    @IdParam('provisioningProfileId') id: string,
  ): Promise<ProvisioningProfileDto> {
    return toProvisioningProfileDto(await this.profiles.get(app.id, id));
  }

  /**
   * Deletes a provisioning profile. If the use of its certificate is restricted, this requires the permission
   * `certificates:use`.
   */
  @Delete(':provisioningProfileId')
  @HttpCode(204)
  @Requires('certificates:write')
  async delete(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('provisioningProfileId') id: string,
  ): Promise<void> {
    await this.profiles.delete(caller, app.id, id);
  }
}
