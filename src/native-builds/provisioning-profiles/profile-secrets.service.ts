import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { ProfileType } from '../../common/provisioning-profiles.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { ProvisioningProfile } from './provisioning-profile.entity.js';

/** A profile with its file in clear. */
export interface OpenedProfile {
  readonly profile: ProvisioningProfile;
  readonly file: Buffer;
}

/** The files of provisioning profiles, which are sealed in the database. */
@Injectable()
export class ProfileSecretsService {
  constructor(
    @InjectRepository(ProvisioningProfile) private readonly profiles: Repository<ProvisioningProfile>,
    private readonly box: SecretBox,
  ) {}

  /** @param id of the profile */
  seal(id: string, file: Buffer): string {
    return this.box.seal(file.toString('base64'), contextOf(id));
  }

  /** The profiles of a certificate for builds of a type, the oldest first. Callers record reads for builds. */
  async open(certificateId: string, type: ProfileType): Promise<OpenedProfile[]> {
    const profiles = await this.profiles
      .createQueryBuilder('profile')
      .addSelect('profile.sealedFile')
      .where('profile.certificateId = :certificateId AND profile.type = :type', { certificateId, type })
      .orderBy('profile.id')
      .getMany();
    return profiles.map((profile) => ({
      profile,
      file: Buffer.from(this.box.open(profile.sealedFile, contextOf(profile.id)), 'base64'),
    }));
  }
}

function contextOf(id: string): string {
  return `provisioning_profiles:${id}`;
}
