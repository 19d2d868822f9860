import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActivitiesModule } from '../activities/activities.module.js';
import { AuditChainsModule } from './audit-chains.module.js';
import { AuditHeadsService } from './audit-heads.service.js';
import { AuditEvent } from './audit-event.entity.js';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogService } from './audit-log.service.js';

@Module({
  imports: [ActivitiesModule, AuditChainsModule, TypeOrmModule.forFeature([AuditEvent])],
  controllers: [AuditLogController],
  providers: [AuditHeadsService, AuditLogService],
})
export class AuditLogModule {}
