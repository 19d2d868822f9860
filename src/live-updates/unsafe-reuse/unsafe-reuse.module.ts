import { Module } from '@nestjs/common';
import { UnsafeReuseService } from './unsafe-reuse.service.js';

@Module({ providers: [UnsafeReuseService], exports: [UnsafeReuseService] })
export class UnsafeReuseModule {}
