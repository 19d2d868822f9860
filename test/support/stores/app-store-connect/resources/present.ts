import type { StoreVersion } from '../state/app-store/store-version.ts';
import type { AppleApp, AppLocalization, BetaGroup, Platform } from '../state/connect-state.ts';
import {
  type BetaReview,
  type Build,
  type BuildLocalization,
  expirationOf,
  externalState,
  internalState,
} from '../state/builds.ts';
import type { BuildUpload, BuildUploadFile } from '../state/uploads.ts';
import type { Resource } from './document.ts';

// The attributes: AvdLee/appstoreconnect-swift-sdk, `Sources/OpenAPI/Generated/Entities`.

export function toApp({ id, name, bundleId, primaryLocale }: AppleApp): Resource {
  const attributes = { name, bundleId, sku: bundleId, primaryLocale, isOrEverWasMadeForKids: false };
  return { type: 'apps', id, attributes };
}

export function toGroup(group: BetaGroup): Resource {
  const { id, app, name, isInternal, hasAccessToAllBuilds, builds } = group;
  return {
    type: 'betaGroups',
    id,
    attributes: {
      name,
      isInternalGroup: isInternal,
      // External groups have none.
      hasAccessToAllBuilds: isInternal ? hasAccessToAllBuilds : null,
      publicLinkEnabled: false,
      feedbackEnabled: true,
    },
    relationships: {
      app: () => toApp(app),
      builds: () => app.builds.filter((build) => builds.has(build.id)).map(toBuild),
    },
  };
}

/** Without its relationships. */
export function toPlainVersion(version: StoreVersion): Resource {
  const { id, platform, versionString, state, copyright, releaseType } = version;
  // `appStoreState` is deprecated, and has other names for some.
  const older: Partial<Record<StoreVersion['state'], string>> = {
    READY_FOR_DISTRIBUTION: 'READY_FOR_SALE',
    PROCESSING_FOR_DISTRIBUTION: 'PROCESSING_FOR_APP_STORE',
  };
  const attributes = {
    platform,
    versionString,
    appVersionState: state,
    appStoreState: older[state] ?? state,
    copyright,
    reviewType: 'APP_STORE',
    releaseType,
    earliestReleaseDate: version.earliestReleaseDate?.toISOString() ?? null,
    usesIdfa: null,
    downloadable: true,
    createdDate: version.createdAt.toISOString(),
  };
  return { type: 'appStoreVersions', id, attributes };
}

export function toAppLocalization({ id, locale, description }: AppLocalization): Resource {
  return { type: 'betaAppLocalizations', id, attributes: { locale, description, feedbackEmail: null } };
}

export function toUpload(upload: BuildUpload): Resource {
  const { id, version, buildNumber, platform, createdAt, uploadedAt, state, errors, warnings } = upload;
  return {
    type: 'buildUploads',
    id,
    attributes: {
      cfBundleShortVersionString: version,
      cfBundleVersion: buildNumber,
      createdDate: createdAt.toISOString(),
      state: { errors, warnings, infos: [], state },
      platform,
      uploadedDate: uploadedAt?.toISOString() ?? null,
    },
    relationships: {
      build: () => (upload.build === null || !upload.namesBuild ? null : toBuild(upload.build)),
      assetFile: () => (upload.file === null ? null : toFile(upload.file)),
      assetDescriptionFile: () => null,
      assetSpiFile: () => null,
    },
  };
}

export function toFile(file: BuildUploadFile): Resource {
  const { id, assetType, fileName, fileSize, uti, state, errors, operations } = file;
  return {
    type: 'buildUploadFiles',
    id,
    attributes: {
      assetDeliveryState: { errors, warnings: [], state },
      assetToken: null,
      assetType,
      fileName,
      fileSize,
      sourceFileChecksums: null,
      uploadOperations: state === 'AWAITING_UPLOAD' ? operations : null,
      uti,
    },
  };
}

export function toBuild(build: Build): Resource {
  const { id, app, platform, version, buildNumber, uploadedAt, isExpired, processingState } = build;
  return {
    type: 'builds',
    id,
    attributes: {
      version: buildNumber,
      uploadedDate: uploadedAt.toISOString(),
      expirationDate: expirationOf(build).toISOString(),
      expired: isExpired,
      minOsVersion: '15.0',
      processingState,
      buildAudienceType: 'APP_STORE_ELIGIBLE',
      usesNonExemptEncryption: build.usesNonExemptEncryption,
    },
    relationships: {
      preReleaseVersion: () => toTrain(app, version, platform),
      app: () => toApp(app),
      betaBuildLocalizations: () => build.localizations.map(toLocalization),
      betaGroups: () => app.groups.filter(({ builds }) => builds.has(id)).map(toGroup),
      buildBetaDetail: () => toBetaDetail(build),
      betaAppReviewSubmission: () => (build.review === null ? null : toReview(build, build.review)),
      appStoreVersion: () => {
        const version = app.versions.find((one) => one.build === build);
        return version === undefined ? null : toPlainVersion(version);
      },
      buildUpload: () => (build.upload === null ? null : toUpload(build.upload)),
    },
  };
}

/** A version with its builds. */
function toTrain({ id }: AppleApp, version: string, platform: Platform): Resource {
  return {
    type: 'preReleaseVersions',
    id: `${id}-${platform}-${version}`,
    attributes: { version, platform },
  };
}

export function toBetaDetail(build: Build): Resource {
  return {
    type: 'buildBetaDetails',
    id: build.id,
    attributes: {
      autoNotifyEnabled: false,
      internalBuildState: internalState(build),
      externalBuildState: externalState(build),
    },
    relationships: { build: () => toBuild(build) },
  };
}

export function toLocalization({ id, build, locale, whatsNew }: BuildLocalization): Resource {
  const relationships = { build: () => toBuild(build) };
  return { type: 'betaBuildLocalizations', id, attributes: { locale, whatsNew }, relationships };
}

export function toReview(build: Build, { id, submittedAt, state }: BetaReview): Resource {
  return {
    type: 'betaAppReviewSubmissions',
    id,
    attributes: { betaReviewState: state, submittedDate: submittedAt.toISOString() },
    relationships: { build: () => toBuild(build) },
  };
}
