import { generateKeyPairSync } from 'node:crypto';
import { expectCreated } from '../support/http/expect-created.js';
import { form, type Part, send } from '../support/http/multipart.js';
import { uniqueName } from '../support/unique-name.js';
import type { TestApp } from './app.js';

/** A certificate as the API shows it. */
export interface TestCertificate {
  readonly id: string;
  readonly name: string;
}

export const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The private key as PEM. @param passphrase encrypts it */
export function pem(passphrase?: string): string {
  const encryption = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  return privateKey.export({ type: 'pkcs8', format: 'pem', ...encryption }).toString();
}

/** The parts of a new web certificate, in the order of the official CLI. @param fields texts; `undefined` leaves one out */
export function certificateParts(
  fields: Readonly<Record<string, string | undefined>> = {},
  file: string | Buffer = pem(),
  filename = 'key.pem',
): Part[] {
  const texts = { name: uniqueName('certificate'), platform: 'web', ...fields };
  return [
    { name: 'file', content: file, filename, type: 'application/x-pem-file' },
    ...Object.entries(texts).flatMap(([name, content]) => (content === undefined ? [] : [{ name, content }])),
  ];
}

/** A web certificate of the app, under a name of its own unless given. */
export async function createCertificate(
  app: TestApp,
  ...parts: Parameters<typeof certificateParts>
): Promise<TestCertificate> {
  return expectCreated(
    await send(app.api, 'post', `${app.path}/certificates`, form(certificateParts(...parts))),
  );
}
