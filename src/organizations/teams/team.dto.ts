import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { TeamAppDto, TeamMemberDto } from '../team-assignments/team-assignment.dto.js';
import type { Team } from './team.entity.js';
import type { TeamTotals } from './teams.queries.js';

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

/** @param totals default: the team has no apps and no members */
export function toTeamDto(
  team: Team,
  totals: Pick<TeamTotals, 'totalApps' | 'totalMembers'> = { totalApps: 0, totalMembers: 0 },
): TeamDto {
  return {
    id: team.id,
    organizationId: team.organizationId,
    name: team.name,
    description: team.description,
    totalTeamApps: totals.totalApps,
    totalTeamMembers: totals.totalMembers,
    createdAt: team.createdAt.toISOString(),
    updatedAt: team.updatedAt.toISOString(),
  };
}
