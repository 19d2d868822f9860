import { signingPage } from '../../events/console-pages.js';
import { defineEvent } from '../../events/event-definition.js';
import { minuteOf } from '../../events/facts.js';
import {
  CertificateExpiringEventDto,
  ProvisioningProfileExpiringEventDto,
} from './signing-expiry-event.dto.js';

export const appCertificateExpiring = defineEvent<CertificateExpiringEventDto>({
  type: 'app_certificate_expiring',
  title: 'Certificate expires',
  description: 'A certificate expires in 30 days, 7 days or a day, or has expired.',
  permission: 'certificates:read',
  of: 'app',
  data: CertificateExpiringEventDto,
  facts: ({ name, platform, type, expiresAt }) => ({
    Certificate: name,
    Platform: platform,
    Type: type,
    Expires: minuteOf(expiresAt),
  }),
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'readers',
    advice: 'Renew the certificate, upload it, and let builds use it.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/certificates/${objectId}`,
    page: signingPage,
  },
});

export const appProvisioningProfileExpiring = defineEvent<ProvisioningProfileExpiringEventDto>({
  type: 'app_provisioning_profile_expiring',
  title: 'Provisioning profile expires',
  description: 'A provisioning profile expires in 30 days, 7 days or a day, or has expired.',
  permission: 'certificates:read',
  of: 'app',
  data: ProvisioningProfileExpiringEventDto,
  facts: ({ name, type, bundleId, expiresAt }) => ({
    Profile: name,
    Type: type,
    'Bundle id': bundleId,
    Expires: minuteOf(expiresAt),
  }),
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'readers',
    advice: 'Renew the profile at Apple, and upload it.',
    path: ({ appId, objectId }) => `/v1/apps/${appId}/provisioning-profiles/${objectId}`,
    page: signingPage,
  },
});
