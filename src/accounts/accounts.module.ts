import { Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { ForgottenPasswordsModule } from './forgotten-passwords/forgotten-passwords.module.js';
import { IdentityProofsModule } from './identity-proofs/identity-proofs.module.js';
import { OidcModule } from './oidc/oidc.module.js';
import { PasswordPageModule } from './passwords/password-page.module.js';
import { SessionCodesModule } from './session-codes/session-codes.module.js';
import { SessionsPageModule } from './sessions/sessions-page.module.js';
import { SignInLinksModule } from './sign-in-links/sign-in-links.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { TokenPagesModule } from './token-pages/token-pages.module.js';
import { TokensModule } from './tokens/tokens.module.js';
import { TwoFactorPageModule } from './two-factor/two-factor-page.module.js';
import { UsersModule } from './users/users.module.js';

@Module({
  imports: [
    AuthModule,
    ForgottenPasswordsModule,
    IdentityProofsModule,
    OidcModule,
    PasswordPageModule,
    SessionCodesModule,
    SessionsPageModule,
    SignInLinksModule,
    SignInModule,
    TokenPagesModule,
    TokensModule,
    TwoFactorPageModule,
    UsersModule,
  ],
})
export class AccountsModule {}
