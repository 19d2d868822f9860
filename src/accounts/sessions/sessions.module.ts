import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Session } from './session.entity.js';
import { SessionCode } from './session-code.entity.js';
import { SessionCodesService } from './session-codes.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Session, SessionCode])],
  controllers: [SessionsController],
  providers: [SessionsService, SessionCodesService],
  exports: [SessionsService, SessionCodesService],
})
export class SessionsModule {}
