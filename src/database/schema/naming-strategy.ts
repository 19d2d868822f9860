import { DefaultNamingStrategy, type NamingStrategyInterface, type Table, type View } from 'typeorm';

/** `nextBuildNumber` becomes `next_build_number`. */
export const snakeCase = (text: string): string => text.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
const nameOf = (table: Table | View | string): string => {
  const path = typeof table === 'string' ? table : table.name;
  return path.slice(path.lastIndexOf('.') + 1);
};

/** Snake-case columns, and constraint names as PostgreSQL itself would choose them: `channels_app_id_name_key`. */
export class SnakeCaseNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return [...prefixes.map(snakeCase), custom ?? snakeCase(property)].join('_');
  }

  override primaryKeyName(table: Table | string): string {
    return `${nameOf(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return [nameOf(table), ...columns, 'key'].join('_');
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return [nameOf(table), ...columns, 'fkey'].join('_');
  }

  override indexName(table: Table | View | string, columns: string[]): string {
    return [nameOf(table), ...columns, 'idx'].join('_');
  }

  /** @param expression begins with the column that it checks; other expressions need an explicit name */
  override checkConstraintName(table: Table | string, expression: string): string {
    const [column] = /^[a-z][a-z0-9_]*(?= )/.exec(expression) ?? [];
    if (column === undefined) throw new Error(`The check "${expression}" of ${nameOf(table)} needs a name.`);
    return [nameOf(table), column, 'check'].join('_');
  }
}
