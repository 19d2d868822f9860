import { type FindOperator, ILike, Raw } from 'typeorm';

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** A text column that equals the text, whatever its case. */
export function equalsText(text: string): FindOperator<string> {
  return ILike(escapeLike(text));
}

/** A text column that contains the text, whatever its case. */
export function containsText(text: string): FindOperator<string> {
  return ILike(`%${escapeLike(text)}%`);
}

/** A `uuid` column whose usual spelling contains the text. */
export function idContains(text: string): FindOperator<string> {
  // TypeORM quotes the column only between spaces or brackets: `column::text` would stay unquoted.
  return Raw((column) => `CAST(${column} AS text) LIKE :pattern`, {
    pattern: `%${escapeLike(text.toLowerCase())}%`,
  });
}
