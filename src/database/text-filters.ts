import { type FindOperator, type FindOptionsWhere, ILike, Raw } from 'typeorm';
import { nameKey } from '../common/validation/name.decorator.js';

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

/** A row that is found by its name, ignoring case. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly nameLower: string;
}

/** Adds conditions for a list: exactly this name, ignoring case; the id or the name contains the search text. */
export function whereNamed<T extends Named>(
  where: FindOptionsWhere<NoInfer<T>>,
  { name, query }: { readonly name?: string | undefined; readonly query?: string | undefined },
): FindOptionsWhere<T>[] {
  const named = name === undefined ? where : { ...where, nameLower: nameKey(name) };
  if (query === undefined) return [named];
  return [
    { ...named, id: idContains(query) },
    { ...named, name: containsText(query) },
  ];
}
