import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ReleaseEvent } from './release-event.entity.js';
import { ReleaseHistory } from './release-history.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ReleaseEvent])],
  providers: [ReleaseHistory],
  exports: [ReleaseHistory],
})
export class ReleaseHistoryModule {}
