import { Module } from '@nestjs/common';
import { MulterModule, type MulterModuleOptions } from '@nestjs/platform-express';
import { TypeOrmModule } from '@nestjs/typeorm';
import multer from 'multer';
import { StoreKey } from './store-key.entity.js';
import { MAX_STORE_KEY_BYTES, StoreKeysController } from './store-keys.controller.js';
import { StoreKeysQueries } from './store-keys.queries.js';
import { StoreKeysService } from './store-keys.service.js';

/** Files stay in memory: they are secrets, small, and sealed before they are stored. */
const uploads: MulterModuleOptions = {
  storage: multer.memoryStorage(),
  limits: {
    fileSize: MAX_STORE_KEY_BYTES,
    files: 1,
    fields: 20,
    parts: 25,
    fieldSize: MAX_STORE_KEY_BYTES,
    fieldNameSize: 100,
  },
};

@Module({
  imports: [TypeOrmModule.forFeature([StoreKey]), MulterModule.register(uploads)],
  controllers: [StoreKeysController],
  providers: [StoreKeysService, StoreKeysQueries],
  exports: [StoreKeysService],
})
export class StoreKeysModule {}
