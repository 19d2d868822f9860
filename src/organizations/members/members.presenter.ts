import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users/users.service.js';
import { type MemberWithUserDto, toMemberWithUserDto } from './member.dto.js';
import type { Member } from './member.entity.js';

/** Presents members with their users. */
@Injectable()
export class MembersPresenter {
  constructor(private readonly users: UsersService) {}

  /** Leaves out members whose user was deleted in the meantime. */
  async present(members: readonly Member[]): Promise<MemberWithUserDto[]> {
    const found = await this.users.getMany(members.map(({ userId }) => userId));
    const users = new Map(found.map((user) => [user.id, user]));
    return members.flatMap((member) => {
      const user = users.get(member.userId);
      return user === undefined ? [] : [toMemberWithUserDto(member, user)];
    });
  }

  async presentOne(member: Member): Promise<MemberWithUserDto> {
    const [dto] = await this.present([member]);
    return dto as MemberWithUserDto;
  }
}
