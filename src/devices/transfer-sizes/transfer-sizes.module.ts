import { Module } from '@nestjs/common';
import { DeploymentsModule } from '../../live-updates/deployments/deployments.module.js';
import { TransferSizesController } from './transfer-sizes.controller.js';
import { TransferSizesQueries } from './transfer-sizes.queries.js';

@Module({
  imports: [DeploymentsModule],
  controllers: [TransferSizesController],
  providers: [TransferSizesQueries],
})
export class TransferSizesModule {}
