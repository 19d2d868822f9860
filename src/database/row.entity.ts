import { CreateDateColumn, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** The columns that every table has. Data only, no behaviour. */
export abstract class Row {
  /** UUID v7, made by the application. */
  @PrimaryColumn('uuid')
  id!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
