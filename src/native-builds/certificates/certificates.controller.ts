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
import { CertificateCreationService } from './certificate-creation.service.js';
import { CertificateFileInterceptor } from './certificate-file.interceptor.js';
import {
  DeleteCertificateQuery,
  ListCertificatesQuery,
  CertificateDto,
  toCertificateDto,
  CreateCertificateDto,
  UpdateCertificateDto,
} from './certificate.dto.js';
import { CertificatesService } from './certificates.service.js';
import type { UploadedCertificate } from './uploaded-file.js';

@ApiTags('Certificates')
@Controller('apps/:appId/certificates')
export class CertificatesController {
  constructor(
    private readonly certificates: CertificatesService,
    private readonly creation: CertificateCreationService,
  ) {}

  /** Lists the certificates of an app, by name. */
  @Get()
  @Requires('certificates:read')
  @ApiPage(CertificateDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListCertificatesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CertificateDto[]> {
    return sendPage(response, query, await this.certificates.list(app.id, query), toCertificateDto);
  }

  /**
   * Creates a certificate from a file, which is opened to check it and its passwords. Restricting its use requires the
   * permission `certificates:use`. If the organization has `restrictCertificates` and the request has no `allowedRefs`, only
   * builds of the default branch of the app's repository can use it.
   */
  @Post()
  @OwnTransactions()
  @Requires('certificates:write')
  @ApiConsumes('multipart/form-data')
  @UseInterceptors(CertificateFileInterceptor)
  @ApiErrors('certificate_name_taken', 'certificate_reader_busy', 'limit_reached')
  async create(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Body() body: CreateCertificateDto,
    @UploadedFile() file: UploadedCertificate | undefined,
  ): Promise<CertificateDto> {
    return toCertificateDto(await this.creation.create(caller, app, body, file));
  }

  /** Gets a certificate. */
  @Get(':certificateId')
  @Requires('certificates:read')
  async get(@CurrentApp() app: App, @IdParam('certificateId') id: string): Promise<CertificateDto> {
    return toCertificateDto(await this.certificates.get(app.id, id));
  }

  /**
   * Updates a certificate. Omitted fields do not change; `null` clears a field. The file is opened again with a new password
   * or alias. If the use of the certificate is restricted, or you restrict it, this requires the permission
   * `certificates:use`.
   */
  @Patch(':certificateId')
  @OwnTransactions()
  @Requires('certificates:write')
  @ApiErrors('certificate_name_taken', 'certificate_reader_busy', 'conflict')
  async update(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('certificateId') id: string,
    @Body() body: UpdateCertificateDto,
  ): Promise<CertificateDto> {
    return toCertificateDto(await this.certificates.update(caller, app, id, body));
  }

  /**
   * Deletes the certificate with this name. If its use is restricted, this requires the permission `certificates:use`.
   */
  @Delete()
  @HttpCode(204)
  @Requires('certificates:write')
  @ApiErrors('certificate_not_found', 'conflict')
  async deleteByName(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @Query() { name, platform, type }: DeleteCertificateQuery,
  ): Promise<void> {
    await this.certificates.delete(caller, app.id, { name, platform, type });
  }

  /**
   * Deletes a certificate that no build is about to use. If its use is restricted, this requires the permission
   * `certificates:use`.
   */
  @Delete(':certificateId')
  @HttpCode(204)
  @Requires('certificates:write')
  @ApiErrors('conflict')
  async delete(
    @CurrentApp() app: App,
    @Caller() caller: Principal,
    @IdParam('certificateId') id: string,
  ): Promise<void> {
    await this.certificates.delete(caller, app.id, { id });
  }
}
