import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SessionsModule } from '../sessions/sessions.module.js';
import { Password } from './password.entity.js';
import { PasswordsQueries } from './passwords.queries.js';
import { PasswordsService } from './passwords.service.js';

/** Stores and verifies passwords. Commands use it without the pages. */
@Module({
  imports: [TypeOrmModule.forFeature([Password]), SessionsModule],
  providers: [PasswordsService, PasswordsQueries],
  exports: [PasswordsService],
})
export class PasswordsModule {}
