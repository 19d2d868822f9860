import { Module } from '@nestjs/common';
import { BuildNumberRequests } from './build-number-requests.service.js';

@Module({ providers: [BuildNumberRequests], exports: [BuildNumberRequests] })
export class BuildNumbersModule {}
