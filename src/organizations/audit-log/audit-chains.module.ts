import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditChain } from './audit-chain.entity.js';
import { AuditChainsQueries } from './audit-chains.queries.js';
import { AuditEvent } from './audit-event.entity.js';
import { ChainVerifier } from './chain-verifier.js';

/** The chains of audit events. `slipway audit verify` uses it without the API. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditChain, AuditEvent])],
  providers: [AuditChainsQueries, ChainVerifier],
  exports: [AuditChainsQueries, ChainVerifier],
})
export class AuditChainsModule {}
