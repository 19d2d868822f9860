import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { invalidField } from '../../common/errors/app-error.js';
import { type ProfileType, profileTypes } from '../../common/provisioning-profiles.js';
import { CertificateSecretsService } from '../certificates/certificate-secrets.service.js';
import type { Certificate, CertificatePlatform } from '../certificates/certificate.entity.js';
import { CertificatesService } from '../certificates/certificates.service.js';
import type { Configuration } from '../configurations/configuration.entity.js';
import { ProfileSecretsService } from '../provisioning-profiles/profile-secrets.service.js';
import { ProvisioningProfilesService } from '../provisioning-profiles/provisioning-profiles.service.js';
import { UseRestrictionsService } from '../use-restrictions/use-restrictions.service.js';
import { type BuildSettingsRequest, type CertificateContent, given } from './build-settings.js';
import type { Warning } from '../../common/warnings/warning.js';
import { findCertificateWarnings, findProfileWarnings } from './build-warnings.js';
import { requireCertificate, requireFittingCertificate, requireProfiles } from './ios-signing.js';

type Request = Pick<
  BuildSettingsRequest,
  'app' | 'platform' | 'type' | 'origin' | 'certificate' | 'authorize'
>;

/** The certificates of builds: which ones, and what they hold. */
@Injectable()
export class BuildCertificates {
  constructor(
    private readonly certificates: CertificatesService,
    private readonly certificateSecrets: CertificateSecretsService,
    private readonly profiles: ProvisioningProfilesService,
    private readonly profileSecrets: ProfileSecretsService,
    private readonly restrictions: UseRestrictionsService,
  ) {}

  /**
   * Finds the certificate that a new build asks for.
   *
   * @returns `null`: none
   * @throws NotFoundError when the app has no such certificate
   * @throws InvalidRequestError when it is for another platform, or its name is that of several
   * @throws ForbiddenError when it is restricted to other branches and tags, or protected
   */
  async resolve({ app, platform, origin, certificate, authorize }: Request): Promise<Certificate | null> {
    const reference = given(certificate);
    if (reference === null) return null;
    const found = await this.find(app.id, platform, reference);
    await this.restrictions.authorizeUse(authorize, 'certificates:use', found, origin);
    return found;
  }

  /** @throws NotFoundError @throws InvalidRequestError when it is for another platform, or its name is that of several */
  async find(
    appId: string,
    platform: CertificatePlatform,
    reference: { id: string } | { name: string },
  ): Promise<Certificate> {
    const found = await this.certificates.resolve(appId, { ...reference, platform });
    if (found.platform === platform) return found;
    throw invalidField(
      'appCertificateId',
      `appCertificateId is that of a certificate for ${found.platform}, and the build is for ${platform}.`,
    );
  }

  /**
   * Checks what a build is signed with, as far as the files say it.
   *
   * @returns what may surprise about it
   * @throws InvalidRequestError when an iOS build could not be signed with it
   */
  async check(
    { platform, type }: Pick<Request, 'platform' | 'type'>,
    certificate: Certificate | null,
    configuration: Pick<Configuration, 'name' | 'packageName'> | null,
  ): Promise<Warning[]> {
    const now = databaseNow();
    if (platform !== 'ios') return certificate === null ? [] : findCertificateWarnings(certificate, now);
    const profileType = profileTypeOf(platform, type);
    // Apps for simulators are not signed.
    if (profileType === null) return [];
    const used = requireCertificate(profileType, certificate);
    requireFittingCertificate(profileType, used, now);
    const profiles = await this.profiles.ofCertificate(used.id);
    const fitting = requireProfiles(profileType, used, { profiles, configuration, now });
    return [...findCertificateWarnings(used, now), ...findProfileWarnings(fitting, now)];
  }

  /**
   * A certificate in clear, with the profiles that sign builds of a type. Callers record the read.
   *
   * @param profileType `null`: without profiles
   * @throws NotFoundError
   */
  async open(appId: string, id: string, profileType: ProfileType | null): Promise<CertificateContent> {
    const { certificate, content } = await this.certificateSecrets.open(appId, id);
    const profiles =
      profileType === null || certificate.platform !== 'ios'
        ? []
        : await this.profileSecrets.open(id, profileType);
    return { ...content, type: certificate.type, fileName: certificate.fileName, profiles };
  }

  async passwordsOf(appId: string, id: string): Promise<string[]> {
    const { content } = await this.certificateSecrets.open(appId, id);
    return [content.password, content.keyPassword].filter((password) => password !== null);
  }
}

/** Which profiles sign a build; `null`: none. @param type of the build */
export function profileTypeOf(platform: string, type: string | null): ProfileType | null {
  return platform === 'ios' ? (profileTypes.find((profileType) => profileType === type) ?? null) : null;
}
