import { PrimaryColumn } from 'typeorm';
import { CreatedAtColumn, UpdatedAtColumn } from './columns.js';

/** The columns that every table has. Data only, no behaviour. */
export abstract class Row {
  /** UUID v7, made by the application. */
  @PrimaryColumn('uuid')
  id!: string;

  @CreatedAtColumn()
  createdAt!: Date;

  @UpdatedAtColumn()
  updatedAt!: Date;
}
