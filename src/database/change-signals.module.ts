import { Global, Module } from '@nestjs/common';
import { Fallbacks } from './outages/fallbacks.js';
import { KeptRows } from './outages/kept-rows.js';
import { ChangeSignals } from './change-signals.js';

/** Signals about changes by other replicas. */
@Global()
@Module({ providers: [ChangeSignals, Fallbacks, KeptRows], exports: [ChangeSignals, Fallbacks, KeptRows] })
export class ChangeSignalsModule {}
