import { Module } from '@nestjs/common';
import { LostRunnersQueries } from './lost-runners.queries.js';
import { LostRunners } from './lost-runners.task.js';

@Module({ providers: [LostRunnersQueries, LostRunners] })
export class LostRunnersModule {}
