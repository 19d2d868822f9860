import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { BuildArtifactsModule } from '../build-artifacts/build-artifacts.module.js';
import { Build } from './build.entity.js';
import { BuildsPresenter } from './builds.presenter.js';
import { BuildsController } from './builds.controller.js';
import { BuildsService } from './builds.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Build]), AppsModule, BuildArtifactsModule],
  controllers: [BuildsController],
  providers: [BuildsService, BuildsPresenter],
  exports: [BuildsService, BuildsPresenter],
})
export class BuildsModule {}
