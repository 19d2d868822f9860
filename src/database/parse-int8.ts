import pg from 'pg';

/** PostgreSQL's id of the type `bigint`. */
const INT8 = pg.types.builtins.INT8;

/**
 * Reads a `bigint`: the one place that decides what it becomes, for every column and every query.
 *
 * @param text decimal digits
 * @returns a number if it is exact (up to 2^53), otherwise a `bigint`: only bit masks are that large
 */
export function parseInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** Type parsers for connections: the usual ones of the driver, and `parseInt8`. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(oid, format as 'text'),
};
