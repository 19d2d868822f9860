import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isNotExpiring } from '../../events/expiry.js';
import { ThresholdEvents } from '../../events/threshold-events.service.js';
import { QueueService } from '../../queue/queue.service.js';
import { appCertificateExpiring, appProvisioningProfileExpiring } from './signing-expiry.events.js';
import type {
  CertificateExpiringEventDto,
  ProvisioningProfileExpiringEventDto,
} from './signing-expiry-event.dto.js';
import {
  type ExpiringCertificate,
  type ExpiringProfile,
  SIGNING_THRESHOLDS,
  SigningExpiryQueries,
} from './signing-expiry.queries.js';

/** Records events of certificates and provisioning profiles that expire. */
@Injectable()
export class SigningExpiry implements OnModuleInit {
  constructor(
    private readonly queries: SigningExpiryQueries,
    private readonly thresholds: ThresholdEvents,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'expiring-certificates',
      cron: '5 * * * *',
      timeoutSeconds: 600,
      run: () => this.run(),
    });
  }

  private async run(): Promise<void> {
    await this.thresholds.crossExpiring<CertificateExpiringEventDto, ExpiringCertificate>({
      definition: appCertificateExpiring,
      kind: 'certificate-expiring',
      thresholds: SIGNING_THRESHOLDS,
      find: (kind, size) => this.queries.certificates(kind, size),
      isOver: (threshold) => isNotExpiring('certificates', threshold),
      happeningOf: ({ id, appId, name, platform, type, ...row }) => ({
        appId,
        objectId: id,
        data: { appCertificateId: id, name, platform, type, ...nearnessOf(row) },
      }),
    });
    await this.thresholds.crossExpiring<ProvisioningProfileExpiringEventDto, ExpiringProfile>({
      definition: appProvisioningProfileExpiring,
      kind: 'provisioning-profile-expiring',
      thresholds: SIGNING_THRESHOLDS,
      find: (kind, size) => this.queries.profiles(kind, size),
      isOver: (threshold) => isNotExpiring('provisioning_profiles', threshold),
      happeningOf: ({ id, appId, certificateId, name, type, bundleId, ...row }) => ({
        appId,
        objectId: id,
        data: {
          appProvisioningProfileId: id,
          appCertificateId: certificateId,
          name,
          type,
          bundleId,
          ...nearnessOf(row),
        },
      }),
    });
  }
}

function nearnessOf({
  expiresAt,
  threshold,
}: Pick<ExpiringCertificate, 'expiresAt' | 'threshold'>): Pick<
  CertificateExpiringEventDto,
  'expiresAt' | 'threshold'
> {
  return {
    expiresAt: expiresAt.toISOString(),
    threshold: threshold as CertificateExpiringEventDto['threshold'],
  };
}
