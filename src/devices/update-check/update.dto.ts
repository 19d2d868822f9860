import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_SHA256 } from '../../common/openapi/example-values.js';
import type { Decision } from '../channel-decision/decision.js';
import type { ReleaseBundle } from '../releases/release-table.js';
import type { OfferForm } from './offer-form.js';

/** The bundle that a device gets. Keys without value are left out: older plugins cannot read `null`. */
@ApiExample({ checksum: EXAMPLE_SHA256 })
export class UpdateDto {
  @ApiProperty({ enum: ['zip', 'manifest'], enumName: 'BundleType' })
  artifactType!: 'zip' | 'manifest';

  @ApiId()
  bundleId!: string;

  /**
   * The channel that was served.
   * @example 'production'
   */
  channelName!: string;

  /** SHA-256 of the zip, lower-case hexadecimal. */
  checksum?: string;

  /** Texts by name that belong to the bundle. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' } })
  customProperties?: Record<string, string>;

  /** Signature of the zip, Base64. */
  signature?: string;

  /** Where to download it; for a manifest with `?href=<file>`. Needs no token and has no query of its own. */
  @ApiProperty({ format: 'uri' })
  url!: string;
}

/** A bundle that a device is offered. */
export interface Offer {
  readonly channel: NonNullable<Decision['channel']>;
  readonly deployment: NonNullable<Decision['deployment']>;
  readonly form: OfferForm;
}

/**
 * The response to an update check.
 *
 * @param origin where the API is reached
 */
export function toUpdateDto(appId: string, { channel, deployment, form }: Offer, origin: string): UpdateDto {
  const bundle = inForm(deployment.bundle, form);
  const isZip = bundle.artifactType === 'zip';
  const properties = bundle.customProperties;
  return {
    artifactType: bundle.artifactType,
    bundleId: bundle.id,
    channelName: channel.name,
    ...(isZip && bundle.checksum !== null ? { checksum: bundle.checksum } : {}),
    ...(properties !== null && Object.keys(properties).length > 0 ? { customProperties: properties } : {}),
    ...(isZip && bundle.signature !== null ? { signature: bundle.signature } : {}),
    url: bundle.url ?? `${origin}/v1/apps/${appId}/bundles/${bundle.id}/${downloadPathOf(bundle, form)}`,
  };
}

function inForm(bundle: ReleaseBundle, form: OfferForm): ReleaseBundle {
  const { generatedZip } = bundle;
  if (form === 'published' || generatedZip === null) return bundle;
  return { ...bundle, artifactType: 'zip', checksum: generatedZip.checksum };
}

/** The checksums of a signed manifest cannot be changed; of any other, devices get the form that is safe to reuse. */
function downloadPathOf({ artifactType, signed }: ReleaseBundle, form: OfferForm): string {
  if (form === 'generated-zip') return 'download/zip';
  return artifactType === 'manifest' && !signed ? 'download/named' : 'download';
}
