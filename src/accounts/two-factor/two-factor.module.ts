import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module.js';
import { RecoveryCode } from './recovery-code.entity.js';
import { TwoFactor } from './two-factor.entity.js';
import { TwoFactorService } from './two-factor.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([TwoFactor, RecoveryCode]), UsersModule],
  providers: [TwoFactorService],
  exports: [TwoFactorService],
})
export class TwoFactorModule {}
