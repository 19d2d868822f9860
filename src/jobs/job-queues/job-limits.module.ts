import { Module } from '@nestjs/common';
import { JobLimitsService } from './job-limits.service.js';

/** For the command of operators, which needs nothing else. */
@Module({ providers: [JobLimitsService], exports: [JobLimitsService] })
export class JobLimitsModule {}
