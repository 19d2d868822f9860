import { Module } from '@nestjs/common';
import { GitProviderClients } from './git-provider-clients.js';

@Module({ providers: [GitProviderClients], exports: [GitProviderClients] })
export class GitProvidersModule {}
