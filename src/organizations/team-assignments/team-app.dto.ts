import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import type { TeamApp } from './team-app.entity.js';

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
