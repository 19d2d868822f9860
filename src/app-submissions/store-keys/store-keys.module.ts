import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StoreKey } from './store-key.entity.js';
import { StoreKeysQueries } from './store-keys.queries.js';
import { StoreKeysService } from './store-keys.service.js';
import { UnusedStoreKeys } from './unused-store-keys.task.js';

@Module({
  imports: [TypeOrmModule.forFeature([StoreKey])],
  providers: [StoreKeysService, StoreKeysQueries, UnusedStoreKeys],
  exports: [StoreKeysService],
})
export class StoreKeysModule {}
