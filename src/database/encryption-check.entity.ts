import { Check, Column, Entity } from 'typeorm';
import { Row } from './schema/row.entity.js';

/** A text that is known, sealed with `ENCRYPTION_KEY`: it shows at start whether the key is that of the database. */
@Entity('encryption_checks')
@Check('encryption_checks_sealed_value_check', `sealed_value LIKE 'v1.%'`)
export class EncryptionCheck extends Row {
  /** For the context `encryption_checks:<id>`. */
  @Column('text')
  sealedValue!: string;
}
