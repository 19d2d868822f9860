import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { Config } from '../config/config.js';
import { dataSourceOptions } from './data-source-options.js';
import { TransactionalDataSource } from './transactional-data-source.js';

/** The application's connection pool. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: ({ database }: Config) => ({
        ...dataSourceOptions(database.url ?? '', database.poolSize),
        retryAttempts: 3,
        retryDelay: 1000,
      }),
      dataSourceFactory: (options) => new TransactionalDataSource(options as DataSourceOptions).initialize(),
    }),
  ],
})
export class DatabaseModule {}
