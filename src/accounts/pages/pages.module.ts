import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { urlencoded } from 'express';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { TwoFactorModule } from '../two-factor/two-factor.module.js';
import { UsersModule } from '../users/users.module.js';
import { DeviceController } from './device.controller.js';
import { LoginController } from './login.controller.js';
import { LogoutController } from './logout.controller.js';
import { pageHeaders } from './page-headers.middleware.js';
import { PasswordPageController } from './password-page.controller.js';
import { SecondFactorChallenges } from './second-factor-challenges.js';
import { SessionsPageController } from './sessions-page.controller.js';
import { StylesheetController } from './stylesheet.controller.js';
import { TokensPageController } from './tokens-page.controller.js';
import { TwoFactorPageController } from './two-factor-page.controller.js';

const pages = [
  LoginController,
  DeviceController,
  LogoutController,
  TokensPageController,
  SessionsPageController,
  PasswordPageController,
  TwoFactorPageController,
];

/** Largest form, in bytes. */
const MAX_FORM = 16 * 1024;

/** The pages for people: signing in, approving devices, and settings. Only they read forms. */
@Module({
  imports: [PasswordsModule, SessionsModule, SignInModule, TokensModule, TwoFactorModule, UsersModule],
  controllers: [...pages, StylesheetController],
  providers: [SecondFactorChallenges],
})
export class PagesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const form = urlencoded({ extended: false, limit: MAX_FORM, parameterLimit: 20 });
    consumer.apply(pageHeaders, form).forRoutes(...pages);
  }
}
