import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountMailsModule } from '../account-mails/account-mails.module.js';
import { UsersModule } from '../users/users.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SignInAttemptsModule } from '../sign-in-attempts/sign-in-attempts.module.js';
import { DeviceController } from './device.controller.js';
import { SessionCode } from './session-code.entity.js';
import { SessionCodesController } from './session-codes.controller.js';
import { SessionCodesQueries } from './session-codes.queries.js';
import { SessionCodesService } from './session-codes.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([SessionCode]),
    AccountMailsModule,
    SessionsModule,
    SignInAttemptsModule,
    UsersModule,
  ],
  controllers: [SessionCodesController, DeviceController],
  providers: [SessionCodesService, SessionCodesQueries],
  exports: [SessionCodesService],
})
export class SessionCodesModule {}
