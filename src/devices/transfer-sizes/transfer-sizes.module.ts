import { Module } from '@nestjs/common';
import { TransferSizesController } from './transfer-sizes.controller.js';
import { TransferSizesQueries } from './transfer-sizes.queries.js';

@Module({ controllers: [TransferSizesController], providers: [TransferSizesQueries] })
export class TransferSizesModule {}
