import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Build } from '../builds/build.entity.js';

/** A page with the files of a build, for everyone who has its address. The id is random: the address is a secret. */
@Entity('build_shares')
export class BuildShare extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => Build, { onDelete: 'CASCADE' })
  buildId!: string;

  /** Text for those who open the page. */
  @Column('text', { nullable: true })
  description!: string | null;

  /** The share does not exist from this time on; `null`: it stays. */
  @TimeColumn({ nullable: true })
  expiresAt!: Date | null;

  /** As a PHC string; `null`: no password is needed. */
  @Column('text', { nullable: true })
  passwordHash!: string | null;
}
