import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { notFound } from '../../database/rows.js';
import type { CertificateFile } from '../certificate-readers/reading.js';
import { Certificate } from './certificate.entity.js';
import { CertificatesQueries } from './certificates.queries.js';

type SealedColumns = Pick<
  Certificate,
  'sealedFile' | 'sealedPassword' | 'sealedKeyPassword' | 'sealedSigningKey'
>;

/** What is sealed of a certificate. */
interface Secrets extends Pick<CertificateFile, 'file' | 'password' | 'keyPassword'> {
  readonly signingKey: Buffer | null;
}

/** A certificate with its secrets in clear. */
export interface OpenedCertificate {
  readonly certificate: Certificate;
  readonly content: CertificateFile;
  /** PKCS#8 as DER; `null`: it is for another platform, or has not been opened since keys are kept. */
  readonly signingKey: Buffer | null;
}

/** The file and the passwords of certificates, which are sealed in the database. */
@Injectable()
export class CertificateSecretsService {
  constructor(
    @InjectRepository(Certificate) private readonly certificates: Repository<Certificate>,
    private readonly queries: CertificatesQueries,
    private readonly box: SecretBox,
  ) {}

  /** The columns for a file, its passwords and its key; `undefined` for absent ones. */
  seal(id: string, { file, password, keyPassword, signingKey }: Partial<Secrets>): Partial<SealedColumns> {
    const sealed = <T extends string | null | undefined>(secret: T): T | string =>
      typeof secret === 'string' ? this.box.seal(secret, contextOf(id)) : secret;
    return {
      ...(file && { sealedFile: sealed(file.toString('base64')) }),
      ...(password !== undefined && { sealedPassword: sealed(password) }),
      ...(keyPassword !== undefined && { sealedKeyPassword: sealed(keyPassword) }),
      ...(signingKey && { sealedSigningKey: sealed(signingKey.toString('base64')) }),
    };
  }

  /** Callers record reads for builds. @throws NotFoundError */
  async open(appId: string, id: string): Promise<OpenedCertificate> {
    const certificate = await this.certificates
      .createQueryBuilder('certificate')
      .addSelect([
        'certificate.sealedFile',
        'certificate.sealedPassword',
        'certificate.sealedKeyPassword',
        'certificate.sealedSigningKey',
      ])
      .where('certificate.appId = :appId AND certificate.id = :id', { appId, id })
      .getOne();
    if (certificate === null) throw notFound(this.certificates);
    const opened = (sealed: string | null): string | null =>
      sealed === null ? null : this.box.open(sealed, contextOf(id));
    const signingKey = opened(certificate.sealedSigningKey);
    return {
      certificate,
      signingKey: signingKey === null ? null : Buffer.from(signingKey, 'base64'),
      content: {
        platform: certificate.platform,
        file: Buffer.from(this.box.open(certificate.sealedFile, contextOf(id)), 'base64'),
        password: opened(certificate.sealedPassword),
        keyAlias: certificate.keyAlias,
        keyPassword: opened(certificate.sealedKeyPassword),
      },
    };
  }

  /** Keeps the opened key of a certificate that has none. */
  async keepSigningKey(id: string, signingKey: Buffer): Promise<void> {
    await this.queries.addSigningKey(id, this.box.seal(signingKey.toString('base64'), contextOf(id)));
  }
}

function contextOf(id: string): string {
  return `certificates:${id}`;
}
