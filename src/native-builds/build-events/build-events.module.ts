import { Module } from '@nestjs/common';
import { BuildArtifactsModule } from '../build-artifacts/build-artifacts.module.js';
import { BuildsModule } from '../builds/builds.module.js';
import { BuildEvents } from './build-events.service.js';

@Module({
  imports: [BuildArtifactsModule, BuildsModule],
  providers: [BuildEvents],
  exports: [BuildEvents],
})
export class BuildEventsModule {}
