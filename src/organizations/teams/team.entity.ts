import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { Organization } from '../organizations/organization.entity.js';

export const TEAMS_NAME_KEY = 'teams_organization_id_name_lower_key';
export const TEAMS_ORGANIZATION_FKEY = 'teams_organization_id_fkey';

/** Members of an organization who work on the same apps: see `within-teams.ts`. */
@Entity('teams')
@Unique(TEAMS_NAME_KEY, ['organizationId', 'nameLower'])
export class Team extends Row {
  @Column('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE', name: TEAMS_ORGANIZATION_FKEY })
  organizationId!: string;

  @Column('text')
  name!: string;

  /** The name as it is compared: see `nameKey`. */
  @Column('text')
  nameLower!: string;

  @Column('text', { nullable: true })
  description!: string | null;
}
