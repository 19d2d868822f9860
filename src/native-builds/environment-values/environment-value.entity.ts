import { Column, ForeignKey, Index } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { Row } from '../../database/schema/row.entity.js';
import { Environment } from '../environments/environment.entity.js';

/** The columns that variables and secrets share. Data only, no behaviour. */
export abstract class EnvironmentValue extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('uuid')
  @ForeignKey(() => Environment, { onDelete: 'CASCADE' })
  environmentId!: string;

  @Column('text')
  key!: string;
}
