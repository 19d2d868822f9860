import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { notFound } from '../../database/rows.js';
import type { CertificateFile } from '../certificate-readers/reading.js';
import { Certificate } from './certificate.entity.js';

type SealedColumns = Pick<Certificate, 'sealedFile' | 'sealedPassword' | 'sealedKeyPassword'>;

/** A certificate with its secrets in clear. */
export interface OpenedCertificate {
  readonly certificate: Certificate;
  readonly content: CertificateFile;
}

/** The file and the passwords of certificates, which are sealed in the database. */
@Injectable()
export class CertificateSecretsService {
  constructor(
    @InjectRepository(Certificate) private readonly certificates: Repository<Certificate>,
    private readonly box: SecretBox,
  ) {}

  /** The columns for a file and its passwords; `undefined` for absent ones. */
  seal(
    id: string,
    { file, password, keyPassword }: Partial<Pick<CertificateFile, 'file' | 'password' | 'keyPassword'>>,
  ): Partial<SealedColumns> {
    const sealed = <T extends string | null | undefined>(secret: T): T | string =>
      typeof secret === 'string' ? this.box.seal(secret, contextOf(id)) : secret;
    return {
      ...(file && { sealedFile: sealed(file.toString('base64')) }),
      ...(password !== undefined && { sealedPassword: sealed(password) }),
      ...(keyPassword !== undefined && { sealedKeyPassword: sealed(keyPassword) }),
    };
  }

  /** Callers record reads for builds. @throws NotFoundError */
  async open(appId: string, id: string): Promise<OpenedCertificate> {
    const certificate = await this.certificates
      .createQueryBuilder('certificate')
      .addSelect(['certificate.sealedFile', 'certificate.sealedPassword', 'certificate.sealedKeyPassword'])
      .where('certificate.appId = :appId AND certificate.id = :id', { appId, id })
      .getOne();
    if (certificate === null) throw notFound(this.certificates);
    const opened = (sealed: string | null): string | null =>
      sealed === null ? null : this.box.open(sealed, contextOf(id));
    return {
      certificate,
      content: {
        platform: certificate.platform,
        file: Buffer.from(this.box.open(certificate.sealedFile, contextOf(id)), 'base64'),
        password: opened(certificate.sealedPassword),
        keyAlias: certificate.keyAlias,
        keyPassword: opened(certificate.sealedKeyPassword),
      },
    };
  }
}

function contextOf(id: string): string {
  return `certificates:${id}`;
}
