import { Module } from '@nestjs/common';
import { SigningExpiryQueries } from './signing-expiry.queries.js';
import { SigningExpiry } from './signing-expiry.task.js';

@Module({ providers: [SigningExpiryQueries, SigningExpiry] })
export class SigningExpiryModule {}
