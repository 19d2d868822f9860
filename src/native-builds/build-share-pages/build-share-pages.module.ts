import { Module } from '@nestjs/common';
import { SharedBuildsModule } from '../shared-builds/shared-builds.module.js';
import { BuildSharePageController } from './build-share-page.controller.js';

/** The pages of shared builds. */
@Module({ imports: [SharedBuildsModule], controllers: [BuildSharePageController] })
export class BuildSharePagesModule {}
