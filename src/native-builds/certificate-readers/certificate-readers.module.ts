import { Module } from '@nestjs/common';
import { CertificateReaderService } from './certificate-reader.service.js';

/** One for all who open files: its limit counts them together. */
@Module({
  providers: [CertificateReaderService],
  exports: [CertificateReaderService],
})
export class CertificateReadersModule {}
