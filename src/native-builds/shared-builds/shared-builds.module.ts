import { Module } from '@nestjs/common';
import { SignInAttemptsModule } from '../../accounts/sign-in-attempts/sign-in-attempts.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { BlobDownloadsModule } from '../../storage/blob-downloads/blob-downloads.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { ArtifactDetailsModule } from '../artifact-details/artifact-details.module.js';
import { BuildArtifactsModule } from '../build-artifacts/build-artifacts.module.js';
import { BuildSharesModule } from '../build-shares/build-shares.module.js';
import { BuildsModule } from '../builds/builds.module.js';
import { DeviceChecks } from './device-checks.service.js';
import { ShareAddressesService } from './share-addresses.service.js';
import { SharePasswords } from './share-passwords.service.js';
import { SharedBuildsController } from './shared-builds.controller.js';
import { SharedBuildsService } from './shared-builds.service.js';
import { SharedFilesController } from './shared-files.controller.js';

/** What those who have the address of a share can do, without a token. */
@Module({
  imports: [
    AppsModule,
    ArtifactDetailsModule,
    BlobDownloadsModule,
    BlobsModule,
    BuildArtifactsModule,
    BuildSharesModule,
    BuildsModule,
    SignInAttemptsModule,
  ],
  controllers: [SharedBuildsController, SharedFilesController],
  providers: [DeviceChecks, ShareAddressesService, SharedBuildsService, SharePasswords],
  exports: [DeviceChecks, ShareAddressesService, SharedBuildsService, SharePasswords],
})
export class SharedBuildsModule {}
