import { type FindOperator, ILike, Raw } from 'typeorm';

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The pattern of `LIKE` for texts that contain the text. */
export function containing(text: string): string {
  return `%${escapeLike(text)}%`;
}

/** A text column that equals the text, whatever its case. */
export function equalsText(text: string): FindOperator<string> {
  return ILike(escapeLike(text));
}

/** A text column that contains the text, whatever its case. */
export function containsText(text: string): FindOperator<string> {
  return ILike(containing(text));
}

/** A `uuid` column whose usual spelling contains the text. */
export function idContains(text: string): FindOperator<string> {
  // TypeORM quotes the column only where a space follows it, so it cannot be written as `column::text`.
  return Raw((column) => `CAST(${column} AS text) LIKE :pattern`, {
    pattern: containing(text.toLowerCase()),
  });
}
