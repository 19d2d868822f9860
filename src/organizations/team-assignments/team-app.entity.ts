import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { Team } from '../teams/team.entity.js';

export const TEAM_APPS_APP_KEY = 'team_apps_team_id_app_id_key';
export const TEAM_APPS_TEAM_FKEY = 'team_apps_team_id_fkey';

/** The assignment of an app to a team. Both belong to the same organization. */
@Entity('team_apps')
@Unique(TEAM_APPS_APP_KEY, ['teamId', 'appId'])
export class TeamApp extends Row {
  @Column('uuid')
  @ForeignKey(() => Team, { onDelete: 'CASCADE', name: TEAM_APPS_TEAM_FKEY })
  teamId!: string;

  /** Named by its entity because apps live further down and this file may not import them. */
  @Index()
  @Column('uuid')
  @ForeignKey('App', { onDelete: 'CASCADE' })
  appId!: string;
}
