import { Check, Column, type ColumnOptions, CreateDateColumn, UpdateDateColumn } from 'typeorm';
import { snakeCase } from './naming-strategy.js';

/*
 * The one way to declare times and enums. Texts, numbers, booleans and ids are plain `@Column('text')`,
 * `@Column('bigint')` (a `number`: see `parse-int8.ts`), `@Column('boolean')`, `@Column('uuid')`.
 */

type Options = Pick<ColumnOptions, 'nullable' | 'default'>;

const TIME = { type: 'timestamptz', precision: 3 } as const;

/** A point in time in milliseconds, `timestamptz(3)`: a `Date`. */
export function TimeColumn(options: Options = {}): PropertyDecorator {
  return Column({ ...TIME, ...options });
}

/** The time of the insertion, as `TimeColumn`. */
export function CreatedAtColumn(): PropertyDecorator {
  return CreateDateColumn(TIME);
}

/** The time of the last change, as `TimeColumn`. */
export function UpdatedAtColumn(): PropertyDecorator {
  return UpdateDateColumn(TIME);
}

/**
 * One of a few texts: a `text` column and its check constraint `<table>_<column>_check`. A new value needs a migration
 * that replaces the constraint; `test/architecture/migrations.spec.ts` compares the two.
 *
 * @param values every value of the column
 */
export function EnumColumn(values: readonly string[], options: Options = {}): PropertyDecorator {
  return (target, property) => {
    Column({ type: 'text', ...options })(target, property);
    Check(isOneOf(snakeCase(String(property)), values))(target, property);
  };
}

/** The expression of a check constraint on a text column. */
export function isOneOf(column: string, values: readonly string[]): string {
  return `${column} IN (${values.map((value) => `'${value}'`).join(', ')})`;
}
