import { Module } from '@nestjs/common';
import { BuildArtifactsModule } from './build-artifacts/build-artifacts.module.js';
import { BuildsModule } from './builds/builds.module.js';

@Module({ imports: [BuildsModule, BuildArtifactsModule] })
export class NativeBuildsModule {}
