import { Column, Entity, Index, Unique } from 'typeorm';
import { Row } from '../database/schema/row.entity.js';

/**
 * The response to a write, stored in the transaction of that write. With an `Idempotency-Key`, it is replayed to every
 * request with the same key. Without one, it is deleted as soon as it was sent, so a row that remains when its process has ended was lost.
 */
@Entity('stored_responses')
@Unique(['tokenId', 'routeHash', 'key'])
@Index(['createdAt'])
export class StoredResponse extends Row {
  /** Of an API token or a session, which may be deleted by now. */
  @Column('uuid')
  tokenId!: string;

  /** SHA-256 of method and URL in hexadecimal: a URL can be longer than an index allows. */
  @Column('text')
  routeHash!: string;

  /** `null`: the request had no key. */
  @Column('text', { nullable: true })
  key!: string | null;

  /** Of `BodyHasher`. */
  @Column('text')
  bodyHash!: string;

  /** `null` only within the transaction. */
  @Column('smallint', { nullable: true })
  status!: number | null;

  /** Sealed, because responses can hold secrets. `null`: no body. */
  @Column('text', { nullable: true })
  sealedBody!: string | null;

  /** When a lost response was last sent to an identical request. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  redeliveredAt!: Date | null;

  /**
   * Of a response without a key: the process of PostgreSQL behind the connection that stored it. While that runs, the
   * response is on its way. `null`: it is lost.
   */
  @Column('integer', { nullable: true, default: () => 'pg_backend_pid()' })
  senderPid!: number | null;
}
