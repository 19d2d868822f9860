import { Injectable } from '@nestjs/common';
import { TeamAssignmentsPresenter } from '../team-assignments/team-assignments.presenter.js';
import { TeamAssignmentsService } from '../team-assignments/team-assignments.service.js';
import { type TeamDto, toTeamDto } from './team.dto.js';
import type { Team } from './team.entity.js';
import { TeamsQueries } from './teams.queries.js';

/** Presents teams with their totals, and one team with its apps and members, too. */
@Injectable()
export class TeamsPresenter {
  constructor(
    private readonly queries: TeamsQueries,
    private readonly assignments: TeamAssignmentsService,
    private readonly presenter: TeamAssignmentsPresenter,
  ) {}

  async present(teams: readonly Team[]): Promise<TeamDto[]> {
    const rows = await this.queries.totals(teams.map(({ id }) => id));
    const totals = new Map(rows.map((row) => [row.teamId, row]));
    return teams.map((team) => toTeamDto(team, totals.get(team.id)));
  }

  /** @param relations to include: `apps`, `members` */
  async presentOne(team: Team, relations: readonly string[] = []): Promise<TeamDto> {
    const dto = (await this.present([team]))[0] as TeamDto;
    if (relations.includes('apps')) {
      dto.teamApps = await this.presenter.presentApps(await this.assignments.allApps(team.id));
    }
    if (relations.includes('members')) {
      dto.teamMembers = await this.presenter.presentMembers(await this.assignments.allMembers(team.id));
    }
    return dto;
  }
}
