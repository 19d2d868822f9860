import { Module } from '@nestjs/common';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BundlesModule } from '../bundles/bundles.module.js';
import { LegalHoldsController } from './legal-holds.controller.js';

@Module({
  imports: [BuildArtifactsModule, BundlesModule],
  controllers: [LegalHoldsController],
})
export class LegalHoldsModule {}
