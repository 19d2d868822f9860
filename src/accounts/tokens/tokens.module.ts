import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountMailsModule } from '../account-mails/account-mails.module.js';
import { UsersModule } from '../users/users.module.js';
import { Token } from './token.entity.js';
import { TokenChanges } from './token-changes.js';
import { TokenUses } from './token-uses.service.js';
import { TokensController } from './tokens.controller.js';
import { TokensQueries } from './tokens.queries.js';
import { TokensService } from './tokens.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Token]), AccountMailsModule, UsersModule],
  controllers: [TokensController],
  providers: [TokensService, TokensQueries, TokenChanges, TokenUses],
  exports: [TokensService, TokenChanges],
})
export class TokensModule {}
