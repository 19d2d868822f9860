import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { App } from '../apps/app.entity.js';

export const NOTES_TITLE_KEY = 'notes_app_id_title_lower_key';

/** A remark about an app. */
@Entity('notes')
@Unique(NOTES_TITLE_KEY, ['appId', 'titleLower'])
export class Note extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('text')
  title!: string;

  /** The title as it is compared: see `nameKey`. */
  @Column('text')
  titleLower!: string;
}
