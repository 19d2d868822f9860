import { Module } from '@nestjs/common';
import { QrCodesController } from './qr-codes.controller.js';

@Module({ controllers: [QrCodesController] })
export class QrCodesModule {}
