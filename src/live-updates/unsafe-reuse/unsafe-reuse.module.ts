import { Module } from '@nestjs/common';
import { PlainManifestsQueries } from './plain-manifests.queries.js';
import { UnsafeReuseService } from './unsafe-reuse.service.js';

@Module({
  providers: [UnsafeReuseService, PlainManifestsQueries],
  exports: [UnsafeReuseService, PlainManifestsQueries],
})
export class UnsafeReuseModule {}
