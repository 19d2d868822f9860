import { Controller, Get } from '@nestjs/common';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { OwnAccessDto } from './own-access.dto.js';
import { OwnAccessService } from './own-access.service.js';

@ApiTags('Users')
@Controller('users/me/access')
export class OwnAccessController {
  constructor(private readonly access: OwnAccessService) {}

  /**
   * Gets the caller, and what they may do in which organizations and apps. A token shows what it allows of that. The
   * permissions are a hint for what to offer: they can change at any time, and every request is checked.
   */
  @Get()
  @ApiSuccess('The caller, and what they may do where.')
  @Requires('account:read')
  @ApiErrors('user_not_found')
  read(@Caller() caller: Principal): Promise<OwnAccessDto> {
    return this.access.read(caller);
  }
}
