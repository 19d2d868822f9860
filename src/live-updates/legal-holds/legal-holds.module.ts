import { Module } from '@nestjs/common';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BundlesModule } from '../bundles/bundles.module.js';
import { LegalHoldsController } from './legal-holds.controller.js';
import { LegalHoldsService } from './legal-holds.service.js';

@Module({
  imports: [BuildArtifactsModule, BundlesModule],
  controllers: [LegalHoldsController],
  providers: [LegalHoldsService],
})
export class LegalHoldsModule {}
