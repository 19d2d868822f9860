import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { AppPresenter } from './app.presenter.js';
import { type TeamAppDto, toTeamAppDto } from './team-app.dto.js';
import type { TeamApp } from './team-app.entity.js';

/** Presents the apps of teams. */
@Injectable()
export class TeamAppsPresenter {
  constructor(private readonly apps: AppPresenter) {}

  /** Leaves out apps that were deleted in the meantime. */
  async present(teamApps: readonly TeamApp[]): Promise<TeamAppDto[]> {
    const apps = await this.apps.present(teamApps.map(({ appId }) => appId));
    return teamApps.flatMap((teamApp) => {
      const app = apps.get(teamApp.appId);
      return app === undefined ? [] : [toTeamAppDto(teamApp, app)];
    });
  }

  /** @throws NotFoundError when the app was deleted in the meantime */
  async presentOne(teamApp: TeamApp): Promise<TeamAppDto> {
    const [dto] = await this.present([teamApp]);
    if (dto === undefined) throw new NotFoundError('App');
    return dto;
  }
}
