import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { IsShare } from '../../common/validation/is-share.decorator.js';
import { BuildTargetingDto, IsBuildText } from '../../native-builds/builds/build-targeting.dto.js';
import { type BundleType, bundleTypes } from './bundle.entity.js';
import { IsRegisteredUrl } from '../bundle-content/registered-url.decorator.js';
import { EmergencyInputDto, IsEmergency } from '../deployments/emergency.dto.js';
import { IsBundleExpiry } from './bundle-expiry.decorator.js';
import { IsBase64Signature, IsSha256 } from '../bundle-content/file-digests.decorators.js';

/** A new bundle, to upload or to register by URL. */
export class CreateBundleDto extends BuildTargetingDto {
  /** One zip, or a manifest and its files. */
  @IsOneOf(bundleTypes, 'BundleType')
  artifactType!: BundleType;

  /**
   * The channel that the bundle goes to when it is ready; absent: the app's default channel.
   * @example 'production'
   */
  @IsNullable()
  @IsName()
  channelName?: string | null;

  /** Share of devices that receive the bundle, 0 to 1; absent: all. */
  @IsNullable()
  @IsShare()
  rolloutPercentage?: number | null;

  /**
   * URL of a zip that you host yourself: `https`, or `http` on `localhost`, without credentials and fragment. Characters
   * that RFC 3986 does not allow are percent-encoded. Such a bundle is registered, not uploaded, and ready at once.
   */
  @IsNullable()
  @IsRegisteredUrl()
  url?: string | null;

  /**
   * SHA-256 of the registered zip, hexadecimal. Without it and without a signature, the Capacitor plugin on Android is not
   * offered the bundle in the versions 6.7 to 6.8 and 7.1 to 7.3, which cannot install it: the response has the warning
   * `missing_checksum`.
   */
  @IsNullable()
  @IsSha256()
  checksum?: string | null;

  /** Signature of the registered zip, Base64 (RSA PKCS#1 v1.5 over SHA-256). */
  @IsNullable()
  @IsBase64Signature()
  signature?: string | null;

  /** From this time on, only devices that run the bundle are offered it; `null`: never. Also accepts Unix milliseconds. */
  @IsBundleExpiry()
  expiresAt?: Date | null;

  /**
   * For a registered bundle: deploys it without approvals, even during a freeze. Requires the permission
   * `deployments:override`.
   */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;

  /** Branch, tag or commit that was built. */
  @IsBuildText()
  gitRef?: string | null;

  /** Message of the commit that was built. */
  @IsBuildText()
  gitCommitMessage?: string | null;

  /** Branch or tag of the commit; `gitRef` is preferred. */
  @IsBuildText()
  gitCommitRef?: string | null;

  /** Hash of the commit; `gitRef` is preferred. */
  @IsBuildText()
  gitCommitSha?: string | null;
}
