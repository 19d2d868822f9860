import type { Response } from 'supertest';
import { expectCreated } from '../support/http/expect-created.js';
import { form, type Part, send } from '../support/http/multipart.js';
import { type AppleIdentity, makeAppleIdentity, makeP12 } from '../support/native-builds/apple/identity.js';
import { makeProfile, type ProfileDescription } from '../support/native-builds/apple/profile.js';
import type { TestApp } from './app.js';
import { createCertificate } from './certificate.js';

/** A provisioning profile as the API shows it. */
export interface TestProfile {
  readonly id: string;
  readonly appCertificateId: string | null;
  readonly uuid: string;
  readonly name: string;
}

/** The parts of a new provisioning profile, as the official CLI sends them. */
export function profileParts(file: Buffer, fields: Readonly<Record<string, string>> = {}): Part[] {
  return [
    { name: 'file', content: file, filename: 'Shop.mobileprovision' },
    ...Object.entries(fields).map(([name, content]) => ({ name, content })),
  ];
}

/** Uploads a file as a provisioning profile. */
export function uploadProfile(
  app: TestApp,
  file: Buffer,
  fields: Readonly<Record<string, string>> = {},
  api = app.api,
): Promise<Response> {
  return send(api, 'post', `${app.path}/provisioning-profiles`, form(profileParts(file, fields)));
}

/** A provisioning profile of the app. */
export async function createProfile(
  app: TestApp,
  profile: ProfileDescription = {},
  fields: Readonly<Record<string, string>> = {},
): Promise<TestProfile> {
  return expectCreated(await uploadProfile(app, makeProfile(profile), fields));
}

/** What signs iOS builds: a certificate of the app, with a profile of each type that it can have. */
export async function createIosSigning(
  app: TestApp,
  {
    identity = makeAppleIdentity(),
    types = ['ad-hoc'],
    bundleId = 'com.example.app',
    name,
  }: {
    readonly identity?: AppleIdentity;
    readonly types?: readonly NonNullable<ProfileDescription['type']>[];
    readonly bundleId?: string;
    readonly name?: string;
  } = {},
): Promise<{ readonly certificateId: string; readonly profiles: readonly TestProfile[] }> {
  const fields = { platform: 'ios', password: 'storepass', ...(name !== undefined && { name }) };
  const { id } = await createCertificate(app, fields, makeP12(identity), 'shop.p12');
  const profiles: TestProfile[] = [];
  for (const type of types) {
    const profile = {
      type,
      bundleId,
      name: `Shop ${type}`,
      teamId: identity.teamId,
      certificates: [identity.certificate.raw],
    };
    profiles.push(await createProfile(app, profile, { certificateId: id }));
  }
  return { certificateId: id, profiles };
}
