import { AppleError, type AppleErrorItem, item, pointerTo, refused } from '../../apple-error.ts';
import { isFirst, type Requirement, type StoreVersion } from '../../state/app-store/store-version.ts';
import { isComplianceOpen } from '../../state/builds.ts';

const REQUIRED = 'The provided entity is missing a required attribute';

/** What is not there, with the resource that misses it. */
type Missing = readonly [resource: string, error: AppleErrorItem];

function attribute(resource: string, name: string): Missing {
  const detail = `You must provide a value for the attribute '${name}' with this request`;
  const pointer = pointerTo(`/data/attributes/${name}`);
  return [resource, item(409, 'ENTITY_ERROR.ATTRIBUTE.REQUIRED', REQUIRED, detail, pointer)];
}

function relationship(resource: string, name: string): Missing {
  const title = 'The provided entity is missing a required relationship';
  const detail = `You must provide a value for the relationship '${name}' with this request`;
  const pointer = pointerTo(`/data/relationships/${name}`);
  return [resource, item(409, 'ENTITY_ERROR.RELATIONSHIP.REQUIRED', title, detail, pointer)];
}

/**
 * Codes: fastlane/fastlane (`deliver/…/submit_for_review.rb`, `api_client.rb`) and logs in public issues; the words of some
 * are made up.
 */
const ERRORS: Readonly<Record<Requirement, Missing>> = {
  privacy: [
    '/v1/appDataUsages/',
    item(
      409,
      'STATE_ERROR.APP_DATA_USAGES_REQUIRED',
      'App data usages are required.',
      'Answers to what data your app collects have not been published.',
    ),
  ],
  screenshots: [
    '/v1/appScreenshots/',
    item(
      409,
      'STATE_ERROR.SCREENSHOT_REQUIRED.APP_IPHONE_67',
      'App screenshot missing (APP_IPHONE_67).',
      'A screenshot with type iphone67 is required but was not provided',
    ),
  ],
  'age-rating': attribute('/v1/ageRatingDeclarations/1', 'gambling'),
  pricing: [
    '/v1/appPriceSchedules/1',
    item(409, 'STATE_ERROR.APP_PRICING_REQUIRED', 'App pricing is required.', 'The app has no price.'),
  ],
  contact: attribute('/v1/appStoreReviewDetails/1', 'contactPhone'),
  description: attribute('/v1/appStoreVersionLocalizations/1', 'description'),
  keywords: attribute('/v1/appStoreVersionLocalizations/1', 'keywords'),
  'support-url': attribute('/v1/appStoreVersionLocalizations/1', 'supportUrl'),
  'content-rights': attribute('/v1/apps/1', 'contentRightsDeclaration'),
  category: relationship('/v1/appInfos/1', 'primaryCategory'),
};

/** @throws AppleError 409 with everything that a version lacks, as associated errors */
export function requireComplete(version: StoreVersion): void {
  const { id, app, build } = version;
  const missing = [...app.missing].map((requirement) => ERRORS[requirement]);
  if (build === null) missing.push(relationship(`/v1/appStoreVersions/${id}`, 'build'));
  else if (isComplianceOpen(build))
    missing.push(attribute(`/v1/builds/${build.id}`, 'usesNonExemptEncryption'));
  if (!isFirst(version)) {
    for (const one of version.localizations.filter(({ whatsNew }) => (whatsNew ?? '') === ''))
      missing.push(attribute(`/v1/appStoreVersionLocalizations/${one.id}`, 'whatsNew'));
  }
  if (missing.length > 0) throw incomplete(id, missing);
}

/** As for a version that misses these. */
export function missingError(requirements: readonly Requirement[]): AppleError {
  return incomplete(
    '1',
    requirements.map((requirement) => ERRORS[requirement]),
  );
}

function incomplete(id: string, missing: readonly Missing[]): AppleError {
  const associatedErrors: Record<string, AppleErrorItem[]> = {};
  for (const [resource, error] of missing) (associatedErrors[resource] ??= []).push(error);
  return refused(
    409,
    'STATE_ERROR.ENTITY_STATE_INVALID',
    `appStoreVersions with id '${id}' is not in valid state.`,
    'This resource cannot be reviewed, please check associated errors to see why.',
    { meta: { associatedErrors } },
  );
}
