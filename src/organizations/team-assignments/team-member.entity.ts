import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { Member } from '../members/member.entity.js';
import { Team } from '../teams/team.entity.js';

export const TEAM_MEMBERS_MEMBER_KEY = 'team_members_team_id_member_id_key';
export const TEAM_MEMBERS_TEAM_FKEY = 'team_members_team_id_fkey';
export const TEAM_MEMBERS_MEMBER_FKEY = 'team_members_member_id_fkey';

/** A member's place in a team. Both belong to the same organization. */
@Entity('team_members')
@Unique(TEAM_MEMBERS_MEMBER_KEY, ['teamId', 'memberId'])
export class TeamMember extends Row {
  @Column('uuid')
  @ForeignKey(() => Team, { onDelete: 'CASCADE', name: TEAM_MEMBERS_TEAM_FKEY })
  teamId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => Member, { onDelete: 'CASCADE', name: TEAM_MEMBERS_MEMBER_FKEY })
  memberId!: string;
}
