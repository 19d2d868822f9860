import { Module } from '@nestjs/common';
import { CheckInsModule } from '../check-ins/check-ins.module.js';
import { ReleasesModule } from '../releases/releases.module.js';
import { CheckCounts } from './check-counts.js';
import { UpdateCheckController } from './update-check.controller.js';
import { UpdateCheckFastPath } from './update-check-fast-path.js';
import { UpdateCheckMetrics } from './update-check.metrics.js';
import { UpdateCheckService } from './update-check.service.js';

@Module({
  imports: [ReleasesModule, CheckInsModule],
  controllers: [UpdateCheckController],
  providers: [UpdateCheckService, CheckCounts, UpdateCheckMetrics, UpdateCheckFastPath],
})
export class UpdateCheckModule {}
