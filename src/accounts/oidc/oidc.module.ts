import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { IdentitiesService } from './identities.service.js';
import { OidcProvider } from './oidc-provider.js';
import { OidcService } from './oidc.service.js';
import { UserIdentity } from './user-identity.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([UserIdentity]), SessionsModule, UsersModule],
  providers: [IdentitiesService, OidcProvider, OidcService],
  exports: [OidcProvider, OidcService],
})
export class OidcModule {}
