import {
  type DeepPartial,
  type DeleteResult,
  type FindManyOptions,
  type FindOptionsOrder,
  type FindOptionsSelect,
  type FindOptionsWhere,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { v7 as uuid } from 'uuid';
import { type AppError, ConflictError, NotFoundError } from '../common/errors/app-error.js';
import { notFoundNameOf } from '../common/errors/not-found-name.js';
import { boundsOf, type Page } from '../common/pagination/page.js';
import type { PageQuery } from '../common/pagination/page-query.dto.js';
import { postgresErrorOf } from './postgres-error.js';
import { isInTransaction, retryOnDeadlock } from './transactions/transaction.js';

/** SQLSTATE. */
const FOREIGN_KEY_VIOLATION = '23503';

type Where<T> = FindOptionsWhere<T> | FindOptionsWhere<T>[];

/** What a violated constraint means to the caller, by the name of the constraint. */
export type Violations = Readonly<Record<string, () => AppError>>;

/**
 * One page of the rows that match, in a stable order: the given one, then by id. A `sequence` needs no id: no two rows
 * of a list have the same.
 *
 * @returns the rows of the page and the number of all rows that match
 */
export async function findPage<T extends ObjectLiteral & { id: string }>(
  rows: Repository<T>,
  where: Where<T>,
  query: PageQuery,
  order: FindOptionsOrder<T>,
): Promise<Page<T>> {
  const { limit: take, offset: skip } = boundsOf(query);
  const byId = { id: Object.values(order)[0] === 'DESC' ? 'DESC' : 'ASC' } as FindOptionsOrder<T>;
  const page = { where, order: 'sequence' in order ? order : { ...order, ...byId }, take, skip };
  if (skip < DEEP) {
    const [items, total] = await rows.findAndCount(page);
    return { items, total };
  }
  const total = await rows.countBy(where);
  return { items: await findDeepPage(rows, page), total };
}

/** Up to this offset, whole rows are skipped; beyond it, only entries of the index. */
const DEEP = 1000;

/** First the keys of the rows, which an index of the order holds, then the rows. */
async function findDeepPage<T extends ObjectLiteral>(
  rows: Repository<T>,
  page: FindManyOptions<T>,
): Promise<T[]> {
  const { metadata } = rows;
  const select = Object.fromEntries(metadata.primaryColumns.map(({ propertyName }) => [propertyName, true]));
  const keysOf = (found: readonly T[]): ObjectLiteral[] =>
    found.flatMap((row) => metadata.getEntityIdMap(row) ?? []);
  const keys = keysOf(await rows.find({ ...page, select: select as FindOptionsSelect<T> }));
  if (keys.length === 0) return [];
  const found = await rows.findBy(keys as FindOptionsWhere<T>[]);
  const byKey = new Map(keysOf(found).map((key, index) => [JSON.stringify(key), found[index]]));
  // A row that was deleted between the two statements is missing.
  return keys.flatMap((key) => byKey.get(JSON.stringify(key)) ?? []);
}

/** @throws NotFoundError when no row matches */
export async function findOrThrow<T extends ObjectLiteral>(rows: Repository<T>, where: Where<T>): Promise<T> {
  const row = await rows.findOneBy(where);
  if (row === null) throw notFound(rows);
  return row;
}

/**
 * Locks one row until the transaction ends.
 *
 * @param mode `pessimistic_write` (`FOR UPDATE`) also stops new references to the row, `for_no_key_update` only other
 *   changes, `pessimistic_read` (`FOR SHARE`) changes but not other readers
 * @throws NotFoundError when no row matches
 */
export async function lockOrThrow<T extends ObjectLiteral>(
  rows: Repository<T>,
  where: FindOptionsWhere<T>,
  mode: 'pessimistic_write' | 'for_no_key_update' | 'pessimistic_read' = 'pessimistic_write',
): Promise<T> {
  const row = await rows.findOne({ where, lock: { mode } });
  if (row === null) throw notFound(rows);
  return row;
}

/**
 * Inserts one row in one statement.
 *
 * @param values the columns; the id is made here unless given
 * @param violations what a violated constraint means
 * @returns the row with the defaults of the database
 */
export async function insertOrThrow<T extends ObjectLiteral & { id: string }>(
  rows: Repository<T>,
  values: DeepPartial<NoInfer<T>>,
  violations: Violations = {},
): Promise<T> {
  const row = rows.create({ id: uuid(), ...values });
  // The database returns the defaults of columns that were not given, but not that the others became NULL.
  for (const column of rows.metadata.columns) {
    if (column.isNullable && column.default === undefined && column.getEntityValue(row) === undefined)
      column.setEntityValue(row, null);
  }
  await translate(violations, () => rows.insert(row as QueryDeepPartialEntity<T>));
  return row;
}

/**
 * Changes the rows that match in one statement; `undefined` leaves a column unchanged.
 *
 * @throws NotFoundError when no row matches
 */
export async function updateOrThrow<T extends ObjectLiteral>(
  rows: Repository<T>,
  where: FindOptionsWhere<T>,
  changes: QueryDeepPartialEntity<T>,
  violations: Violations = {},
): Promise<T> {
  if (Object.values(changes).some((value) => value !== undefined)) {
    const { affected } = await translate(violations, () => rows.update(where, changes));
    if (affected === 0) throw notFound(rows);
  }
  return findOrThrow(rows, where);
}

/**
 * @param violations what a violated constraint means
 * @throws NotFoundError when no row matches
 */
export async function deleteOrThrow<T extends ObjectLiteral>(
  rows: Repository<T>,
  where: FindOptionsWhere<T>,
  violations: Violations = {},
): Promise<void> {
  const remove = (): Promise<DeleteResult> => translate(violations, () => rows.delete(where));
  // Cascading deletions can deadlock. Inside a transaction, the whole transaction is repeated.
  const { affected } = await (isInTransaction() ? remove() : retryOnDeadlock(remove));
  if (affected === 0) throw notFound(rows);
}

/** Runs a statement and turns a constraint that it violates into the error that the caller may see. */
export async function translate<R>(violations: Violations, statement: () => Promise<R>): Promise<R> {
  try {
    return await statement();
  } catch (error) {
    const { code, constraint = '' } = postgresErrorOf(error);
    const violation = violations[constraint];
    if (violation) throw violation();
    throw code === FOREIGN_KEY_VIOLATION ? referenceIsGone() : error;
  }
}

/** An object was deleted after the request was checked. */
function referenceIsGone(): ConflictError {
  return new ConflictError('Something that the request refers to was deleted meanwhile.');
}

/** "Channel not found.": the entity's name in words. */
export function notFound<T extends ObjectLiteral>(rows: Repository<T>): NotFoundError {
  return new NotFoundError(notFoundNameOf(rows.metadata.name));
}
