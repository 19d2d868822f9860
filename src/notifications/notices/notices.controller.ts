import { Body, Controller, Get, Patch } from '@nestjs/common';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { NoticeSettingsService } from './notice-settings.service.js';
import { NoticesDto, toNoticesDto, UpdateNoticesDto } from './notices.dto.js';

@ApiTags('Users')
@Controller('users/me/notices')
export class NoticesController {
  constructor(private readonly settings: NoticeSettingsService) {}

  /** Gets which emails about events the caller gets, and whether this server sends any. */
  @Get()
  @Requires('account:read')
  @ApiErrors('user_not_found')
  async get(@Caller() { userId }: Principal): Promise<NoticesDto> {
    return toNoticesDto(await this.settings.get(userId), await this.settings.unavailableFor(userId));
  }

  /** Switches emails about events on and off, for all organizations of the caller. Omitted fields do not change. */
  @Patch()
  @Requires('account:write')
  @ApiErrors('user_not_found')
  async update(@Caller() { userId }: Principal, @Body() body: UpdateNoticesDto): Promise<NoticesDto> {
    const settings = await this.settings.update(userId, body);
    return toNoticesDto(settings, await this.settings.unavailableFor(userId));
  }
}
