import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { NotFoundError } from '../../common/errors/app-error.js';
import { Member } from '../members/member.entity.js';
import { type TeamMemberDto, toTeamMemberDto } from './team-member.dto.js';
import type { TeamMember } from './team-member.entity.js';

/** Presents the members of teams. */
@Injectable()
export class TeamMembersPresenter {
  constructor(@InjectRepository(Member) private readonly members: Repository<Member>) {}

  /** Leaves out members who were removed in the meantime. */
  async present(teamMembers: readonly TeamMember[]): Promise<TeamMemberDto[]> {
    const found = await this.members.findBy({ id: In(teamMembers.map(({ memberId }) => memberId)) });
    const members = new Map(found.map((member) => [member.id, member]));
    return teamMembers.flatMap((teamMember) => {
      const member = members.get(teamMember.memberId);
      return member === undefined ? [] : [toTeamMemberDto(teamMember, member)];
    });
  }

  /** @throws NotFoundError when the member was removed in the meantime */
  async presentOne(teamMember: TeamMember): Promise<TeamMemberDto> {
    const [dto] = await this.present([teamMember]);
    if (dto === undefined) throw new NotFoundError('Member');
    return dto;
  }
}
