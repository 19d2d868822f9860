import { Module } from '@nestjs/common';
import { JobKinds } from './job-kinds.js';

/** Apart from jobs, because logs need the kinds, and jobs need their logs. */
@Module({ providers: [JobKinds], exports: [JobKinds] })
export class JobKindsModule {}
