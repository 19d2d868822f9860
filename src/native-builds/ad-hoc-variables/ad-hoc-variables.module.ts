import { Module } from '@nestjs/common';
import { AdHocVariables } from './ad-hoc-variables.service.js';

@Module({ providers: [AdHocVariables], exports: [AdHocVariables] })
export class AdHocVariablesModule {}
