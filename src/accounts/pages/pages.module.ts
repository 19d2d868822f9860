import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { OidcModule } from '../oidc/oidc.module.js';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { TwoFactorModule } from '../two-factor/two-factor.module.js';
import { UsersModule } from '../users/users.module.js';
import { DeviceController } from './device.controller.js';
import { LoginController } from './login.controller.js';
import { LogoutController } from './logout.controller.js';
import { OidcController } from './oidc.controller.js';
import { OidcTransactions } from './oidc-transactions.js';
import { pageMiddleware } from './page-middleware.js';
import { PasswordPageController } from './password-page.controller.js';
import { SecondFactorChallenges } from './second-factor-challenges.js';
import { SessionsPageController } from './sessions-page.controller.js';
import { StylesheetController } from './stylesheet.controller.js';
import { TokensPageController } from './tokens-page.controller.js';
import { TwoFactorPageController } from './two-factor-page.controller.js';
import { SignInMethods } from './sign-in-methods.js';

const pages = [
  LoginController,
  OidcController,
  DeviceController,
  LogoutController,
  TokensPageController,
  SessionsPageController,
  PasswordPageController,
  TwoFactorPageController,
];

/** The pages for people: signing in, approving devices, and settings. Only they read forms. */
@Module({
  imports: [
    OidcModule,
    PasswordsModule,
    SessionsModule,
    SignInModule,
    TokensModule,
    TwoFactorModule,
    UsersModule,
  ],
  controllers: [...pages, StylesheetController],
  providers: [OidcTransactions, SecondFactorChallenges, SignInMethods],
})
export class PagesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(...pageMiddleware).forRoutes(...pages);
  }
}
