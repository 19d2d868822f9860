import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions, MixedList } from 'typeorm';
import { compareClocks } from '../common/database-clock.js';
import { Config } from '../config/config.js';
import { CountLimits } from './count-limits.js';
import { READ_CLOCK } from './database-time.js';
import { Sql } from './sql.js';
import { dataSourceOptions } from './schema/data-source-options.js';
import { TransactionalDataSource } from './transactions/transactional-data-source.js';

/** The application's connection pool. */
@Module({})
export class DatabaseModule {
  /**
   * @param entities every entity of the application
   * @param statementTimeout milliseconds that one statement may take; 0: no limit
   */
  static with(entities: MixedList<Function>, statementTimeout?: number): DynamicModule {
    return {
      module: DatabaseModule,
      // Shared: every `*.queries.ts` injects `Sql`, and services of most areas `CountLimits`.
      global: true,
      providers: [Sql, CountLimits],
      exports: [Sql, CountLimits],
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Config],
          useFactory: ({ database }: Config) => ({
            ...dataSourceOptions(database.url ?? '', database.poolSize, statementTimeout),
            entities,
            retryAttempts: 3,
            retryDelay: 1000,
          }),
          dataSourceFactory: async (options) => {
            const database = await new TransactionalDataSource(options as DataSourceOptions).initialize();
            // Commands do so once. Servers continue: see `ChangeSignals`.
            await compareClocks(() => database.query(READ_CLOCK));
            return database;
          },
        }),
      ],
    };
  }
}
