import { Global, Module } from '@nestjs/common';
import { Limits } from './limits.js';

/** Global, because work of every area takes turns. */
@Global()
@Module({ providers: [Limits], exports: [Limits] })
export class LimitsModule {}
