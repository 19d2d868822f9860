import { IsBoolean, IsOptional, IsString, IsUrl, Matches } from 'class-validator';
import { Env } from '../env.decorator.js';

/** An `http` or `https` address without path. */
const IsOrigin = (): PropertyDecorator => (target, property) => {
  Matches(/^[^/]+:\/\/[^/?#]+\/?$/, { message: '$property must be an address without path' })(
    target,
    property,
  );
  IsUrl(
    { protocols: ['http', 'https'], require_protocol: true, require_tld: false, disallow_auth: true },
    { message: '$property must be an http or https address' },
  )(target, property);
};

/** Object storage with the S3 protocol, for `STORAGE=s3`. See [object storage](object-storage.md). */
export class S3Config {
  /**
   * Address of the object storage. See [object storage](object-storage.md).
   *
   * @default none: Amazon S3 in `S3_REGION`
   * @values an `http` or `https` address without path, such as `https://s3.example.com`
   */
  @Env('S3_ENDPOINT')
  @IsOptional()
  @IsOrigin()
  endpoint: string | null = null;

  /**
   * Region of the bucket. Required when `STORAGE` is `s3`; many stores other than Amazon S3 take `us-east-1`.
   *
   * @values a region, such as `eu-central-1`
   */
  @Env('S3_REGION')
  @IsOptional()
  @Matches(/^[A-Za-z0-9-]{1,64}$/, { message: '$property must be a region, such as eu-central-1' })
  region: string | null = null;

  /**
   * Bucket that Slipway stores files in. Required when `STORAGE` is `s3`. Slipway does not create it.
   *
   * @values a name of 3 to 63 lower-case letters, digits, `.` and `-`
   */
  @Env('S3_BUCKET')
  @IsOptional()
  @Matches(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
    message: '$property must be a name of 3 to 63 lower-case letters, digits, dots and hyphens',
  })
  bucket: string | null = null;

  /**
   * Beginning of the names of all objects, so that several installations can share a bucket.
   *
   * @default none
   * @values up to 200 letters, digits, `.`, `_` and `-`, in parts that `/` separates, such as `slipway/production`
   */
  @Env('S3_PREFIX')
  @IsOptional()
  @Matches(/^(?=.{1,200}$)(?!.*(^|\/)\.{1,2}(\/|$))[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*\/?$/, {
    message:
      '$property must be up to 200 letters, digits, dots, underscores and hyphens, in parts that slashes separate',
  })
  prefix: string | null = null;

  /**
   * Access key. Set it together with `S3_SECRET_ACCESS_KEY`.
   *
   * @default none: the identity of the platform, as the AWS SDK finds it (`AWS_…` variables, web identity, container
   *   or instance role)
   * @values a text
   */
  @Env('S3_ACCESS_KEY_ID', { secret: true })
  @IsOptional()
  @IsString()
  accessKeyId: string | null = null;

  /**
   * Secret of the access key.
   *
   * @values a text
   */
  @Env('S3_SECRET_ACCESS_KEY', { secret: true })
  @IsOptional()
  @IsString()
  secretAccessKey: string | null = null;

  /**
   * Whether the bucket is a part of the path (`https://host/bucket/…`) instead of the host name
   * (`https://bucket.host/…`). Most stores other than Amazon S3 need `true`.
   */
  @Env('S3_FORCE_PATH_STYLE')
  @IsBoolean()
  forcePathStyle: boolean = false;

  /**
   * Whether devices and programs that can read files from the object storage itself are redirected there, instead of getting
   * them through Slipway. Needs `STORAGE=s3`. See [redirects](cdn.md#redirects-to-the-store).
   */
  @Env('DOWNLOAD_REDIRECTS')
  @IsBoolean()
  redirects: boolean = false;

  /**
   * Address under which devices and programs reach the object storage. See [redirects](cdn.md#redirects-to-the-store).
   *
   * @default `S3_ENDPOINT`
   * @values an `http` or `https` address without path, such as `https://files.example.com`
   */
  @Env('S3_PUBLIC_ENDPOINT')
  @IsOptional()
  @IsOrigin()
  publicEndpoint: string | null = null;

  /**
   * Address of a CDN in front of the bucket, which devices are redirected to instead. See
   * [redirects](cdn.md#a-cdn-in-front-of-the-bucket).
   *
   * @default none
   * @values an `http` or `https` address without path, such as `https://cdn.example.com`
   */
  @Env('DOWNLOAD_CDN_URL')
  @IsOptional()
  @IsOrigin()
  cdnUrl: string | null = null;
}
