import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { type MemberWithUserDto, toMemberWithUserDto } from './member.dto.js';
import type { Member } from './member.entity.js';

/** Presents members with their users. */
@Injectable()
export class MembersPresenter {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  /** Leaves out members whose user was deleted in the meantime. */
  async present(members: readonly Member[]): Promise<MemberWithUserDto[]> {
    const found = await this.users.findBy({ id: In(members.map(({ userId }) => userId)) });
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
