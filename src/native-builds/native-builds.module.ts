import { Module } from '@nestjs/common';
import { ArtifactIconsModule } from './artifact-icons/artifact-icons.module.js';
import { BuildArtifactsModule } from './build-artifacts/build-artifacts.module.js';
import { BuildSharePagesModule } from './build-share-pages/build-share-pages.module.js';
import { BuildSharesModule } from './build-shares/build-shares.module.js';
import { BuildSourcesModule } from './build-sources/build-sources.module.js';
import { BuildsModule } from './builds/builds.module.js';
import { CertificatesModule } from './certificates/certificates.module.js';
import { ConfigurationsModule } from './configurations/configurations.module.js';
import { EnvironmentValuesModule } from './environment-values/environment-values.module.js';
import { EnvironmentsModule } from './environments/environments.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { IosManifestsModule } from './ios-manifests/ios-manifests.module.js';
import { IosUdidsModule } from './ios-udids/ios-udids.module.js';
import { ProvisioningProfilesModule } from './provisioning-profiles/provisioning-profiles.module.js';
import { QrCodesModule } from './qr-codes/qr-codes.module.js';
import { RunnerBuildsModule } from './runner-builds/runner-builds.module.js';
import { SharedBuildsModule } from './shared-builds/shared-builds.module.js';

@Module({
  imports: [
    BuildsModule,
    BuildArtifactsModule,
    ArtifactIconsModule,
    EnvironmentsModule,
    EnvironmentValuesModule,
    ConfigurationsModule,
    CertificatesModule,
    ProvisioningProfilesModule,
    BuildSourcesModule,
    BuildSharesModule,
    SharedBuildsModule,
    BuildSharePagesModule,
    IosManifestsModule,
    IosUdidsModule,
    QrCodesModule,
    RunnerBuildsModule,
    ImportsModule,
  ],
})
export class NativeBuildsModule {}
