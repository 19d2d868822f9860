import { Module } from '@nestjs/common';
import { DamagedFilesController } from './damaged-files.controller.js';
import { DamagedFilesQueries } from './damaged-files.queries.js';

@Module({ controllers: [DamagedFilesController], providers: [DamagedFilesQueries] })
export class DamagedFilesModule {}
