import { Global, Module } from '@nestjs/common';
import { SeenVersions } from '../../live-updates/deployments/seen-versions.js';
import { ReleasesModule } from '../releases/releases.module.js';
import { NativeVersionsQueries } from './native-versions.queries.js';
import { NativeVersionsTask } from './native-versions.task.js';
import { SeenVersionsService } from './seen-versions.service.js';

/** Global because it provides a port to deployments, which may not import this area. */
@Global()
@Module({
  imports: [ReleasesModule],
  providers: [
    NativeVersionsQueries,
    NativeVersionsTask,
    { provide: SeenVersions, useClass: SeenVersionsService },
  ],
  exports: [SeenVersions],
})
export class NativeVersionsModule {}
