/** Names separated by spaces. */
const names = (text: string): readonly string[] => text.split(/\s+/);

/**
 * What resources have, as `fields[…]` can choose it: AvdLee/appstoreconnect-swift-sdk, `Fields…` of
 * `Sources/OpenAPI/Generated/Paths`.
 */
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  apps: names(
    'accessibilityUrl name bundleId sku primaryLocale isOrEverWasMadeForKids contentRightsDeclaration betaGroups appStoreVersions preReleaseVersions betaAppLocalizations builds buildUploads reviewSubmissions',
  ),
  appStoreVersions: names(
    'platform versionString appStoreState appVersionState copyright reviewType releaseType earliestReleaseDate usesIdfa downloadable createdDate app appStoreVersionLocalizations build appStoreVersionPhasedRelease',
  ),
  appStoreVersionLocalizations: names(
    'description locale keywords marketingUrl promotionalText supportUrl whatsNew appStoreVersion',
  ),
  appStoreVersionPhasedReleases: names('phasedReleaseState startDate totalPauseDuration currentDayNumber'),
  betaAppLocalizations: names(
    'feedbackEmail marketingUrl privacyPolicyUrl tvOsPrivacyPolicy description locale app',
  ),
  betaAppReviewSubmissions: names('betaReviewState submittedDate build'),
  betaBuildLocalizations: names('whatsNew locale build'),
  betaGroups: names(
    'name createdDate isInternalGroup hasAccessToAllBuilds publicLinkEnabled publicLinkId publicLinkLimitEnabled publicLinkLimit publicLink feedbackEnabled iosBuildsAvailableForAppleSiliconMac iosBuildsAvailableForAppleVision app builds betaTesters',
  ),
  buildBetaDetails: names('autoNotifyEnabled internalBuildState externalBuildState build'),
  builds: names(
    'version uploadedDate expirationDate expired minOsVersion lsMinimumSystemVersion computedMinMacOsVersion computedMinVisionOsVersion iconAssetToken processingState buildAudienceType usesNonExemptEncryption preReleaseVersion individualTesters betaGroups betaBuildLocalizations appEncryptionDeclaration betaAppReviewSubmission app buildBetaDetail appStoreVersion icons buildBundles buildUpload perfPowerMetrics diagnosticSignatures',
  ),
  buildUploadFiles: names(
    'assetDeliveryState assetToken assetType fileName fileSize sourceFileChecksums uploadOperations uti',
  ),
  buildUploads: names(
    'cfBundleShortVersionString cfBundleVersion createdDate state platform uploadedDate build assetFile assetDescriptionFile assetSpiFile buildUploadFiles',
  ),
  preReleaseVersions: names('version platform builds app'),
  reviewSubmissionItems: names('state appStoreVersion'),
  reviewSubmissions: names('platform submittedDate state app items appStoreVersionForReview'),
};
