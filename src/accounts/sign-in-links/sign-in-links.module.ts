import { Module } from '@nestjs/common';
import { PasswordPageModule } from '../passwords/password-page.module.js';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { UsersModule } from '../users/users.module.js';
import { SignInLinksController } from './sign-in-links.controller.js';
import { SignInLinksQueries } from './sign-in-links.queries.js';
import { SignInLinksService } from './sign-in-links.service.js';

/** Links with which users without a password set the first one. */
@Module({
  imports: [PasswordPageModule, PasswordsModule, SignInModule, UsersModule],
  controllers: [SignInLinksController],
  providers: [SignInLinksService, SignInLinksQueries],
})
export class SignInLinksModule {}
