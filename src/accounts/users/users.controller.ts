import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { toUserDto, UserDto } from './user.dto.js';
import { UsersService } from './users.service.js';

@ApiTags('Users')
@Controller('users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  /** Gets the user of the token. */
  @Get('me')
  @Requires('account:read')
  @ApiErrors('user_not_found')
  async getMe(@Caller() caller: Principal): Promise<UserDto> {
    return toUserDto(await this.users.get(caller.userId));
  }
}
