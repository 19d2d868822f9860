import { ApiProperty } from '@nestjs/swagger';
import type { TeamApp } from './team-app.entity.js';

/** The assignment of an app to a team. */
export class TeamAppDto {
  /** Id of the assignment, not of the app. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  teamId!: string;

  @ApiProperty({ format: 'uuid' })
  appId!: string;

  /** The app itself. */
  @ApiProperty({ allOf: [{ $ref: '#/components/schemas/AppDto' }] })
  app!: object;

  @ApiProperty({ format: 'date-time' })
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
