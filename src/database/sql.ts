import { Injectable } from '@nestjs/common';
import { DataSource, type EntityTarget, type ObjectLiteral, type QueryResult } from 'typeorm';

/** SQL beyond a filter. Only `*.queries.ts` inject it. Every statement joins the running transaction, if there is one. */
@Injectable()
export class Sql {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs one SQL statement.
   *
   * @param parameters values of `$1`, `$2`, …
   * @returns the rows of SELECT or of RETURNING; none without it
   */
  async query<Row extends object = object>(
    text: string,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> {
    return (await this.run(text, parameters)).records as Row[];
  }

  /**
   * Runs one INSERT, UPDATE or DELETE.
   *
   * @returns the number of rows that it changed
   */
  async execute(text: string, parameters: readonly unknown[] = []): Promise<number> {
    return (await this.run(text, parameters)).affected ?? 0;
  }

  /**
   * All columns of an entity as a SELECT list, under the names of its properties: for rows of tables that others own.
   *
   * @param alias of the table in the statement
   */
  columns(entity: EntityTarget<ObjectLiteral>, alias: string): string {
    const { columns } = this.dataSource.getMetadata(entity);
    return columns
      .map(({ databaseName, propertyName }) => `${alias}.${databaseName} AS "${propertyName}"`)
      .join(', ');
  }

  private async run(text: string, parameters: readonly unknown[]): Promise<QueryResult> {
    const runner = this.dataSource.createQueryRunner();
    try {
      return await runner.query(text, [...parameters], true);
    } finally {
      await runner.release();
    }
  }
}
