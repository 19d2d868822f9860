import { Injectable } from '@nestjs/common';
import { TeamAppsPresenter } from '../team-apps/team-apps.presenter.js';
import { TeamAppsService } from '../team-apps/team-apps.service.js';
import { TeamMembersPresenter } from '../team-members/team-members.presenter.js';
import { TeamMembersService } from '../team-members/team-members.service.js';
import { type TeamDto, toTeamDto } from './team.dto.js';
import type { Team } from './team.entity.js';
import { TeamsQueries } from './teams.queries.js';

/** Presents teams with their totals, and one team with its apps and members, too. */
@Injectable()
export class TeamsPresenter {
  constructor(
    private readonly queries: TeamsQueries,
    private readonly teamApps: TeamAppsService,
    private readonly teamAppsPresenter: TeamAppsPresenter,
    private readonly teamMembers: TeamMembersService,
    private readonly teamMembersPresenter: TeamMembersPresenter,
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
      dto.teamApps = await this.teamAppsPresenter.present(await this.teamApps.listAll(team.id));
    }
    if (relations.includes('members')) {
      dto.teamMembers = await this.teamMembersPresenter.present(await this.teamMembers.listAll(team.id));
    }
    return dto;
  }
}
