import { Module } from '@nestjs/common';
import { MulterModule, type MulterModuleOptions } from '@nestjs/platform-express';
import { TypeOrmModule } from '@nestjs/typeorm';
import multer from 'multer';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { MAX_PROFILE_BYTES } from './profile-file.interceptor.js';
import { ProfileSecretsService } from './profile-secrets.service.js';
import { ProvisioningProfile } from './provisioning-profile.entity.js';
import { ProvisioningProfilesController } from './provisioning-profiles.controller.js';
import { ProvisioningProfilesQueries } from './provisioning-profiles.queries.js';
import { ProvisioningProfilesService } from './provisioning-profiles.service.js';
import { UnusedProvisioningProfiles } from './unused-provisioning-profiles.task.js';

/** Files stay in memory: they are small, and sealed before they are stored. */
const uploads: MulterModuleOptions & { readonly defParamCharset: string } = {
  storage: multer.memoryStorage(),
  // Names of files are UTF-8, as clients send them.
  defParamCharset: 'utf8',
  limits: {
    fileSize: MAX_PROFILE_BYTES,
    files: 1,
    fields: 20,
    parts: 25,
    fieldSize: 16 * 1024,
    fieldNameSize: 100,
  },
};

@Module({
  imports: [
    TypeOrmModule.forFeature([ProvisioningProfile]),
    MulterModule.register(uploads),
    CertificatesModule,
  ],
  controllers: [ProvisioningProfilesController],
  providers: [
    ProvisioningProfilesService,
    ProvisioningProfilesQueries,
    ProfileSecretsService,
    UnusedProvisioningProfiles,
  ],
  exports: [ProvisioningProfilesService, ProfileSecretsService],
})
export class ProvisioningProfilesModule {}
