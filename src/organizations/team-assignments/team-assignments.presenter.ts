import { Injectable } from '@nestjs/common';
import { MembersService } from '../members/members.service.js';
import { AppPresenter } from './app.presenter.js';
import { type TeamAppDto, toTeamAppDto, type TeamMemberDto, toTeamMemberDto } from './team-assignment.dto.js';
import type { TeamApp } from './team-app.entity.js';
import type { TeamMember } from './team-member.entity.js';

/** Presents the apps and members of teams. Leaves out those that were deleted in the meantime. */
@Injectable()
export class TeamAssignmentsPresenter {
  constructor(
    private readonly apps: AppPresenter,
    private readonly members: MembersService,
  ) {}

  async presentApps(teamApps: readonly TeamApp[]): Promise<TeamAppDto[]> {
    const apps = await this.apps.present(teamApps.map(({ appId }) => appId));
    return teamApps.flatMap((teamApp) => {
      const app = apps.get(teamApp.appId);
      return app === undefined ? [] : [toTeamAppDto(teamApp, app)];
    });
  }

  async presentMembers(teamMembers: readonly TeamMember[]): Promise<TeamMemberDto[]> {
    const found = await this.members.getMany(teamMembers.map(({ memberId }) => memberId));
    const members = new Map(found.map((member) => [member.id, member]));
    return teamMembers.flatMap((teamMember) => {
      const member = members.get(teamMember.memberId);
      return member === undefined ? [] : [toTeamMemberDto(teamMember, member)];
    });
  }
}
