import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { MemberDto, toMemberDto } from '../members/member.dto.js';
import type { Member } from '../members/member.entity.js';
import type { TeamApp } from '../team-apps/team-app.entity.js';
import type { TeamMember } from '../team-members/team-member.entity.js';
import type { Team } from './team.entity.js';

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

/** Members of an organization who work on the same apps. */
export class TeamDto {
  @ApiId()
  id!: string;

  @ApiId()
  organizationId!: string;

  /** @example 'Mobile' */
  name!: string;

  /** What the team does. */
  description!: string | null;

  /** Apps that are assigned to the team. */
  @ApiProperty({ type: 'integer' })
  totalTeamApps!: number;

  /** Members of the organization who are in the team. */
  @ApiProperty({ type: 'integer' })
  totalTeamMembers!: number;

  /** The assigned apps, with the relation `apps`. */
  teamApps?: TeamAppDto[];

  /** The members, with the relation `members`. */
  teamMembers?: TeamMemberDto[];

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** How much belongs to a team. */
export interface TeamTotals {
  readonly totalApps: number;
  readonly totalMembers: number;
}

/** What is shown of a team. @param related its apps and members, as far as they were asked for */
export function toTeamDto(
  team: Team,
  totals: TeamTotals,
  related: Pick<TeamDto, 'teamApps' | 'teamMembers'> = {},
): TeamDto {
  return {
    id: team.id,
    organizationId: team.organizationId,
    name: team.name,
    description: team.description,
    totalTeamApps: totals.totalApps,
    totalTeamMembers: totals.totalMembers,
    ...related,
    createdAt: team.createdAt.toISOString(),
    updatedAt: team.updatedAt.toISOString(),
  };
}

/** What is shown of an assigned app. @param app as the API shows it */
export function toTeamAppDto(teamApp: TeamApp, app: object): TeamAppDto {
  return {
    id: teamApp.id,
    teamId: teamApp.teamId,
    appId: teamApp.appId,
    app,
    createdAt: teamApp.createdAt.toISOString(),
  };
}

/** What is shown of a member of a team. */
export function toTeamMemberDto(teamMember: TeamMember, member: Member): TeamMemberDto {
  return {
    id: teamMember.id,
    teamId: teamMember.teamId,
    memberId: teamMember.memberId,
    member: toMemberDto(member),
    createdAt: teamMember.createdAt.toISOString(),
  };
}
