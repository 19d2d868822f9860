import { Module } from '@nestjs/common';
import { ArtifactDetailsModule } from '../artifact-details/artifact-details.module.js';
import { BuildArtifactsModule } from '../build-artifacts/build-artifacts.module.js';
import { SharedBuildsModule } from '../shared-builds/shared-builds.module.js';
import { InstallableFiles } from './installable-files.service.js';
import { IosManifestsController } from './ios-manifests.controller.js';

/** The manifests by which devices of Apple install apps. */
@Module({
  imports: [ArtifactDetailsModule, BuildArtifactsModule, SharedBuildsModule],
  controllers: [IosManifestsController],
  providers: [InstallableFiles],
})
export class IosManifestsModule {}
