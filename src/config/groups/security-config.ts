import { IsEmail, IsOptional, Matches } from 'class-validator';
import { Env } from '../env.decorator.js';
import { isApiToken } from '../../common/access/api-token.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';

/** Keys and first credentials. */
export class SecurityConfig {
  /**
   * 32 random bytes in Base64: `openssl rand -base64 32`. Signs download URLs and the forms of the pages, and
   * encrypts [secrets](security.md#credentials). Required if `DATABASE_URL` is set, and the same for all replicas.
   *
   * @default `DATA_DIR/encryption-key`
   * @values 44 characters of Base64
   */
  @Env('ENCRYPTION_KEY', { secret: true })
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/]{43}=$/, {
    message: '$property must be 32 bytes in Base64 (44 characters): openssl rand -base64 32',
  })
  encryptionKey: string | null = null;

  /**
   * Other keys that can still decrypt secrets while you change `ENCRYPTION_KEY`. They encrypt and sign nothing. See
   * [rotating the encryption key](operations.md#rotating-the-encryption-key).
   *
   * @values keys as above, separated by commas
   */
  @Env('ENCRYPTION_KEYS_OLD', { secret: true })
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/]{43}=(\s*,\s*[A-Za-z0-9+/]{43}=)*$/, {
    message: '$property must be keys of 32 bytes in Base64 (44 characters each), separated by commas',
  })
  olderEncryptionKeys: string | null = null;

  /**
   * Email address of the first user, created together with an organization if there is no user yet. With
   * `DATABASE_URL`, the first user is created only if you set this and `BOOTSTRAP_TOKEN`.
   *
   * @default embedded: `admin@slipway.local`
   * @values an email address
   */
  @Env('BOOTSTRAP_EMAIL')
  @IsOptional()
  @IsEmail({}, { message: '$property must be an email address, such as ada@example.com' })
  bootstrapEmail: string | null = null;

  /**
   * API token of the first user.
   *
   * @default embedded: `DATA_DIR/token`
   * @values a token that `slipway token` prints
   */
  @Env('BOOTSTRAP_TOKEN', { secret: true })
  @IsOptional()
  @IsBootstrapToken()
  bootstrapToken: string | null = null;
}

/** An API token that was copied completely. The message does not repeat it. */
function IsBootstrapToken(): PropertyDecorator {
  return IsTextThat(isApiToken, (args) =>
    /^ca_[0-9a-f]{48}$/.test(String(args.value))
      ? '$property has a wrong checksum: it was not copied completely'
      : '$property must be an API token (slipway token)',
  );
}
