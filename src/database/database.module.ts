import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions, MixedList } from 'typeorm';
import { Config } from '../config/config.js';
import { dataSourceOptions } from './schema/data-source-options.js';
import { TransactionalDataSource } from './transactions/transactional-data-source.js';

/** The application's connection pool. */
@Module({})
export class DatabaseModule {
  /** @param entities every entity of the application */
  static with(entities: MixedList<Function>): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Config],
          useFactory: ({ database }: Config) => ({
            ...dataSourceOptions(database.url ?? '', database.poolSize),
            entities,
            retryAttempts: 3,
            retryDelay: 1000,
          }),
          dataSourceFactory: (options) =>
            new TransactionalDataSource(options as DataSourceOptions).initialize(),
        }),
      ],
    };
  }
}
