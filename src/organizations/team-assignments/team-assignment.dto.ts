import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { MemberDto, toMemberDto } from '../members/member.dto.js';
import type { Member } from '../members/member.entity.js';
import type { TeamApp } from './team-app.entity.js';
import type { TeamMember } from './team-member.entity.js';

/** An app to assign to a team. */
export class CreateTeamAppDto {
  /** An app of the same organization. */
  @IsId()
  appId!: string;
}

/** The assignment of an app to a team. */
export class TeamAppDto {
  /** Id of the assignment, not of the app. */
  @ApiId()
  id!: string;

  @ApiId()
  teamId!: string;

  @ApiId()
  appId!: string;

  /** The app itself. */
  @ApiProperty({ allOf: [{ $ref: '#/components/schemas/AppDto' }] })
  app!: object;

  @ApiTime()
  createdAt!: string;
}

/** @param app the app itself, an `AppDto` */
export function toTeamAppDto(teamApp: TeamApp, app: object): TeamAppDto {
  return {
    id: teamApp.id,
    teamId: teamApp.teamId,
    appId: teamApp.appId,
    app,
    createdAt: teamApp.createdAt.toISOString(),
  };
}

/** A member to add to a team. */
export class CreateTeamMemberDto {
  /** Id of a member of the same organization (not its user id). */
  @IsId()
  memberId!: string;
}

/** A member's place in a team. */
export class TeamMemberDto {
  /** Id of the assignment, not of the member. */
  @ApiId()
  id!: string;

  @ApiId()
  teamId!: string;

  @ApiId()
  memberId!: string;

  /** The member itself. */
  member!: MemberDto;

  @ApiTime()
  createdAt!: string;
}

export function toTeamMemberDto(teamMember: TeamMember, member: Member): TeamMemberDto {
  return {
    id: teamMember.id,
    teamId: teamMember.teamId,
    memberId: teamMember.memberId,
    member: toMemberDto(member),
    createdAt: teamMember.createdAt.toISOString(),
  };
}
