import { Module } from '@nestjs/common';
import { ManifestComparisonsService } from './manifest-comparisons.service.js';
import { PlainManifestsQueries } from './plain-manifests.queries.js';
import { UnsafeReuseQueries } from './unsafe-reuse.queries.js';
import { UnsafeReuseService } from './unsafe-reuse.service.js';

@Module({
  providers: [ManifestComparisonsService, UnsafeReuseService, PlainManifestsQueries, UnsafeReuseQueries],
  exports: [ManifestComparisonsService, UnsafeReuseService, PlainManifestsQueries],
})
export class UnsafeReuseModule {}
