import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { Row } from '../../database/schema/row.entity.js';

export const ENVIRONMENTS_NAME_KEY = 'environments_app_id_name_lower_key';

/** Variables and secrets that builds can use together. */
@Entity('environments')
@Unique(ENVIRONMENTS_NAME_KEY, ['appId', 'nameLower'])
export class Environment extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('text')
  name!: string;

  /** The name as it is compared: see `nameKey`. */
  @Column('text')
  nameLower!: string;

  /** Patterns of the only branches and tags whose builds can use it; empty: all can. */
  @Column('text', { array: true, default: () => "'{}'" })
  allowedRefs!: string[];

  /** Whether using and changing it requires `environments:use`. */
  @Column('boolean', { default: false })
  protected!: boolean;
}
