import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityProofsModule } from '../identity-proofs/identity-proofs.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountMailsModule } from '../account-mails/account-mails.module.js';
import { AccountLinks } from './account-links.js';
import { EmailVerificationModule } from '../email-verification/email-verification.module.js';
import { GroupSignInsModule } from './group-sign-ins.module.js';
import { IdentitiesService } from './identities.service.js';
import { OidcController } from './oidc.controller.js';
import { OidcProvider } from './oidc-provider.js';
import { OidcService } from './oidc.service.js';
import { OidcTransactions } from './oidc-transactions.js';
import { UserIdentity } from './user-identity.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([UserIdentity]),
    AccountMailsModule,
    EmailVerificationModule,
    GroupSignInsModule,
    IdentityProofsModule,
    SessionsModule,
    UsersModule,
  ],
  controllers: [OidcController],
  providers: [AccountLinks, IdentitiesService, OidcProvider, OidcService, OidcTransactions],
})
export class OidcModule {}
