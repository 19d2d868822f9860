import { Module } from '@nestjs/common';
import { JobKinds } from './job-kinds.js';

/** Apart from `JobsModule`, because logs need the kinds, and jobs need their logs. */
@Module({ providers: [JobKinds], exports: [JobKinds] })
export class JobKindsModule {}
