import multer from 'multer';
import { Module } from '@nestjs/common';
import { MulterModule, type MulterModuleOptions } from '@nestjs/platform-express';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MAX_REF_PATTERNS } from '../../common/ref-patterns.js';
import { UseRestrictionsModule } from '../use-restrictions/use-restrictions.module.js';
import { SigningExpiryQueries } from '../signing-expiry/signing-expiry.queries.js';
import { SigningExpiry } from '../signing-expiry/signing-expiry.task.js';
import { CertificateReaderService } from '../certificate-readers/certificate-reader.service.js';
import { CertificateChanges } from './certificate-changes.service.js';
import { CertificateCreationService } from './certificate-creation.service.js';
import { MAX_CERTIFICATE_BYTES } from './certificate-file.interceptor.js';
import { CertificateSecretsService } from './certificate-secrets.service.js';
import { Certificate } from './certificate.entity.js';
import { CertificatesController } from './certificates.controller.js';
import { CertificatesQueries } from './certificates.queries.js';
import { CertificatesService } from './certificates.service.js';

/** Files stay in memory: they are secrets, small, and sealed before they are stored. */
const uploads: MulterModuleOptions & { readonly defParamCharset: string } = {
  storage: multer.memoryStorage(),
  // Names of files are UTF-8, as clients send them.
  defParamCharset: 'utf8',
  limits: {
    fileSize: MAX_CERTIFICATE_BYTES,
    files: 1,
    fields: 20 + MAX_REF_PATTERNS,
    parts: 25 + MAX_REF_PATTERNS,
    fieldSize: 16 * 1024,
    fieldNameSize: 100,
  },
};

@Module({
  imports: [TypeOrmModule.forFeature([Certificate]), MulterModule.register(uploads), UseRestrictionsModule],
  controllers: [CertificatesController],
  providers: [
    CertificatesService,
    CertificateCreationService,
    CertificateChanges,
    CertificatesQueries,
    CertificateSecretsService,
    SigningExpiryQueries,
    SigningExpiry,
    // One for all who open files: its limit counts them together.
    CertificateReaderService,
  ],
  exports: [CertificatesService, CertificateSecretsService, CertificateChanges, CertificateReaderService],
})
export class CertificatesModule {}
