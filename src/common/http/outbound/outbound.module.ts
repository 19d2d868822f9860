import { Global, Module } from '@nestjs/common';
import { HostResolver } from './host-resolver.js';
import { Outbound } from './outbound.js';

/** Makes `Outbound` injectable everywhere. */
@Global()
@Module({ providers: [HostResolver, Outbound], exports: [Outbound] })
export class OutboundModule {}
