import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Session } from './session.entity.js';
import { UsersModule } from '../users/users.module.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsQueries } from './sessions.queries.js';
import { SessionsService } from './sessions.service.js';

/** Sessions and their API. Commands use it without the pages. */
@Module({
  imports: [TypeOrmModule.forFeature([Session]), UsersModule],
  controllers: [SessionsController],
  providers: [SessionsService, SessionsQueries],
  exports: [SessionsService],
})
export class SessionsModule {}
