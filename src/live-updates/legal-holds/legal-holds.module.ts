import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { Bundle } from '../bundles/bundle.entity.js';
import { LegalHoldsController } from './legal-holds.controller.js';
import { LegalHoldsService } from './legal-holds.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Bundle]), BuildArtifactsModule],
  controllers: [LegalHoldsController],
  providers: [LegalHoldsService],
})
export class LegalHoldsModule {}
