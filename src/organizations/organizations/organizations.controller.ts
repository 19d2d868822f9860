import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { CreateOrganizationDto } from './create-organization.dto.js';
import { OrganizationDto, toOrganizationDto } from './organization.dto.js';
import { OrganizationsService } from './organizations.service.js';
import { UpdateOrganizationDto } from './update-organization.dto.js';

@ApiTags('Organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  /**
   * The organizations that the caller is a member of and may use from where it is, by name. Those with
   * `twoFactorRequired` are among them even while the caller has no second factor and everything else in them is
   * refused.
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

  /** Creates an organization; the caller becomes its owner. A token that is limited to organizations or apps cannot. */
  @Post()
  @Requires('account:write')
  async create(@Caller() caller: Principal, @Body() body: CreateOrganizationDto): Promise<OrganizationDto> {
    return toOrganizationDto(await this.organizations.create(caller, body));
  }

  /** One organization. */
  @Get(':organizationId')
  @Requires('organizations:read')
  @ApiErrors(404)
  async get(@IdParam('organizationId') organizationId: string): Promise<OrganizationDto> {
    return toOrganizationDto(await this.organizations.get(organizationId));
  }

  /**
   * Changes an organization; absent fields stay as they are, `null` clears. Lists of addresses and countries must allow
   * the caller's own, and requiring a second factor takes one.
   */
  @Patch(':organizationId')
  @Requires('organizations:write')
  @ApiErrors(404)
  async update(
    @Caller() caller: Principal,
    @IdParam('organizationId') organizationId: string,
    @Body() body: UpdateOrganizationDto,
  ): Promise<OrganizationDto> {
    return toOrganizationDto(await this.organizations.update(caller, organizationId, body));
  }

  /**
   * Deletes an organization with its members, teams, invitations and apps, and everything in those. Devices keep what
   * they have installed. This cannot be undone.
   */
  @Delete(':organizationId')
  @HttpCode(204)
  @Requires('ownership:write')
  @ApiErrors(404, 409)
  async delete(@IdParam('organizationId') organizationId: string): Promise<void> {
    await this.organizations.delete(organizationId);
  }
}
