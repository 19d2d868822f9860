import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { Member } from '../members/member.entity.js';
import { AppPresenter } from './app.presenter.js';
import { TeamApp } from '../team-apps/team-app.entity.js';
import { TeamMember } from '../team-members/team-member.entity.js';
import {
  type TeamAppDto,
  type TeamDto,
  type TeamMemberDto,
  type TeamTotals,
  toTeamAppDto,
  toTeamDto,
  toTeamMemberDto,
} from './team.dto.js';
import type { Team } from './team.entity.js';
import { sql } from '../../database/sql.js';

/** Shows teams together with their apps and members, in one statement for any number. */
@Injectable()
export class TeamsPresenter {
  constructor(
    private readonly database: DataSource,
    private readonly apps: AppPresenter,
  ) {}

  async present(teams: readonly Team[]): Promise<TeamDto[]> {
    const totals = await this.count(teams.map(({ id }) => id));
    return teams.map((team) => toTeamDto(team, totals.get(team.id) ?? { totalApps: 0, totalMembers: 0 }));
  }

  /** @param relations what was asked for: `apps`, `members` */
  async presentOne(team: Team, relations: readonly string[] = []): Promise<TeamDto> {
    const [dto] = await this.present([team]);
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    const of = { where: { teamId: team.id }, order };
    const teamApps = relations.includes('apps')
      ? await this.showApps(await this.database.getRepository(TeamApp).find(of))
      : undefined;
    const teamMembers = relations.includes('members')
      ? await this.showMembers(await this.database.getRepository(TeamMember).find(of))
      : undefined;
    return { ...(dto as TeamDto), ...(teamApps && { teamApps }), ...(teamMembers && { teamMembers }) };
  }

  async showApps(teamApps: readonly TeamApp[]): Promise<TeamAppDto[]> {
    const apps = await this.apps.present(teamApps.map(({ appId }) => appId));
    return teamApps.flatMap((teamApp) => {
      const app = apps.get(teamApp.appId);
      return app === undefined ? [] : [toTeamAppDto(teamApp, app)];
    });
  }

  async showMembers(teamMembers: readonly TeamMember[]): Promise<TeamMemberDto[]> {
    const found = await this.database
      .getRepository(Member)
      .findBy({ id: In(teamMembers.map(({ memberId }) => memberId)) });
    const members = new Map(found.map((member) => [member.id, member]));
    return teamMembers.flatMap((teamMember) => {
      const member = members.get(teamMember.memberId);
      return member === undefined ? [] : [toTeamMemberDto(teamMember, member)];
    });
  }

  private async count(ids: readonly string[]): Promise<Map<string, TeamTotals>> {
    const rows = await sql<TeamTotals & { id: string }>(
      `SELECT team.id,
              (SELECT count(*)::int FROM team_apps WHERE team_id = team.id) AS "totalApps",
              (SELECT count(*)::int FROM team_members WHERE team_id = team.id) AS "totalMembers"
         FROM unnest($1::uuid[]) AS team (id)`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}
