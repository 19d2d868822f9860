import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OwnTokensService } from './own-tokens.service.js';
import { Token } from './token.entity.js';
import { TokensService } from './tokens.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Token])],
  providers: [TokensService, OwnTokensService],
  exports: [TokensService, OwnTokensService],
})
export class TokensModule {}
