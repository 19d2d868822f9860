import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import {
  CreateOrganizationDto,
  OrganizationDto,
  toOrganizationDto,
  UpdateOrganizationDto,
} from './organization.dto.js';
import { OrganizationsService } from './organizations.service.js';

@ApiTags('Organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  /**
   * Lists the caller's organizations, by name, without those that do not allow the caller's address or country.
   * Organizations with `twoFactorRequired` are in the list even if the caller has no second factor and cannot use them.
   */
  @Get()
  @Requires('account:read')
  @ApiPage(OrganizationDto)
  async list(
    @Caller() caller: Principal,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OrganizationDto[]> {
    return sendPage(response, query, await this.organizations.list(caller, query), toOrganizationDto);
  }

  /**
   * Creates an organization with the caller as its owner. Not possible with a token whose scope is limited to
   * organizations or apps, and for a user whose email address is not verified.
   */
  @Post()
  @Requires('account:write')
  @ApiErrors('email_not_verified', 'organization_limit_reached')
  async create(@Caller() caller: Principal, @Body() body: CreateOrganizationDto): Promise<OrganizationDto> {
    return toOrganizationDto(await this.organizations.create(caller, body));
  }

  /** Gets an organization. */
  @Get(':organizationId')
  @Requires('organizations:read')
  async get(@IdParam('organizationId') organizationId: string): Promise<OrganizationDto> {
    return toOrganizationDto(await this.organizations.get(organizationId));
  }

  /**
   * Updates an organization. Omitted fields do not change; `null` clears a field. The allowlists must contain the caller's
   * own address and country. Only callers with a second factor can require one.
   */
  @Patch(':organizationId')
  @Requires('organizations:write')
  async update(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @Body() body: UpdateOrganizationDto,
  ): Promise<OrganizationDto> {
    return toOrganizationDto(await this.organizations.update(caller, organizationId, body));
  }

  /**
   * Deletes an organization with its members, teams, invitations and apps, and everything in its apps. Devices keep their
   * installed bundles. You cannot undo this.
   */
  @Delete(':organizationId')
  @HttpCode(204)
  @Requires('ownership:write')
  @ApiErrors('legal_hold')
  async delete(@IdParam('organizationId') organizationId: string): Promise<void> {
    await this.organizations.delete(organizationId);
  }
}
