import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TwoFactorModule } from '../two-factor/two-factor.module.js';
import { UsersModule } from '../users/users.module.js';
import { Attempt } from './attempt.entity.js';
import { AttemptsService } from './attempts.service.js';
import { SignInService } from './sign-in.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Attempt]),
    PasswordsModule,
    SessionsModule,
    TwoFactorModule,
    UsersModule,
  ],
  providers: [AttemptsService, SignInService],
  exports: [AttemptsService, SignInService],
})
export class SignInModule {}
