import { Column } from 'typeorm';
import { Row } from './row.entity.js';

/** The columns of objects that `If-Match` protects. */
export abstract class VersionedRow extends Row {
  /** Raised by the trigger `raise_version` with every update of the row: see ADR 40. */
  @Column('integer', { default: 1 })
  version!: number;
}
