import { Column, Entity, Index, Unique } from 'typeorm';
import { Row } from '../database/row.entity.js';

/** A key that a caller has used, with the answer to its first use; written by the transaction of that use. */
@Entity('idempotency_keys')
@Unique(['tokenId', 'route', 'key'])
@Index(['createdAt'])
export class IdempotencyKey extends Row {
  /** Of an API token or a session, which may be gone. */
  @Column('uuid')
  tokenId!: string;

  @Column('text')
  route!: string;

  @Column('text')
  key!: string;

  /** SHA-256 in hexadecimal. */
  @Column('text')
  bodyHash!: string;

  /** `null` only within the transaction. */
  @Column('smallint', { nullable: true })
  status!: number | null;

  /** Sealed: answers may hold secrets. `null`: no body. */
  @Column('text', { nullable: true })
  answer!: string | null;
}
