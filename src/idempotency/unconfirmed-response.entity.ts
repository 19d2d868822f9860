import { Column, Entity, Index } from 'typeorm';
import { TimeColumn } from '../database/columns.js';
import { Row } from '../database/row.entity.js';

/** The answer to a POST that was committed and perhaps never reached the caller; removed as soon as it has. */
@Entity('unconfirmed_answers')
@Index(['fingerprint'])
@Index(['createdAt'])
export class UnconfirmedResponse extends Row {
  /** SHA-256 of token, route and body in hexadecimal. */
  @Column('text')
  fingerprint!: string;

  @Column('smallint')
  status!: number;

  /** Sealed: answers may hold secrets. `null`: no body. */
  @Column('text', { nullable: true })
  answer!: string | null;

  /** When it was last handed out to an identical request. */
  @TimeColumn({ nullable: true })
  takenAt!: Date | null;
}
