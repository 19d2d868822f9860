import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Attempt } from './attempt.entity.js';
import { AttemptsQueries } from './attempts.queries.js';
import { AttemptsService } from './attempts.service.js';
import { ProofsService } from './proofs.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Attempt])],
  providers: [AttemptsService, AttemptsQueries, ProofsService],
  exports: [AttemptsService, ProofsService],
})
export class SignInAttemptsModule {}
