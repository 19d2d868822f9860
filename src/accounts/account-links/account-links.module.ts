import { Module } from '@nestjs/common';
import { IdentityProofsModule } from '../identity-proofs/identity-proofs.module.js';
import { AccountLinks } from './account-links.js';

/** Links accounts of the OpenID provider to users who are proved here first. */
@Module({ imports: [IdentityProofsModule], providers: [AccountLinks], exports: [AccountLinks] })
export class AccountLinksModule {}
