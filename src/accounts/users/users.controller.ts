import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { toUserDto, UserDto } from './user.dto.js';
import { UsersService } from './users.service.js';

@ApiTags('Users')
@Controller('users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  /** The user that the token belongs to. */
  @Get('me')
  @Requires('account:read')
  async getMe(@Caller() caller: Principal): Promise<UserDto> {
    return toUserDto(await this.users.get(caller.userId));
  }
}
