import { Module } from '@nestjs/common';
import { MulterModule, type MulterModuleOptions } from '@nestjs/platform-express';
import multer from 'multer';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { MAX_MANIFEST_BYTES } from '../bundle-manifests/manifest.js';
import { UnsafeReuseModule } from '../unsafe-reuse/unsafe-reuse.module.js';
import { ImportedManifestsController } from './imported-manifests.controller.js';
import { ImportedManifestsService } from './imported-manifests.service.js';

/** Files stay in memory: only what they list is kept. */
const uploads: MulterModuleOptions = {
  storage: multer.memoryStorage(),
  limits: {
    fileSize: MAX_MANIFEST_BYTES,
    files: 1,
    fields: 20,
    parts: 25,
    fieldSize: 1024,
    fieldNameSize: 100,
  },
};

@Module({
  imports: [AppAccessModule, MulterModule.register(uploads), UnsafeReuseModule],
  controllers: [ImportedManifestsController],
  providers: [ImportedManifestsService],
})
export class ImportedManifestsModule {}
