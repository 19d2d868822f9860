import { CONNECT_APPS, XCODE_RELEASES } from '../apple-pages.js';
import type { AppleRefusalRow } from './apple-refusal-row.js';

/** Encryption, notes and groups. */
export const TEST_FLIGHT_ROWS: readonly AppleRefusalRow[] = [
  {
    code: 'compliance_already_set',
    calls: ['compliance'],
    codes: ['ENTITY_ERROR.ATTRIBUTE.INVALID'],
    fragments: ['already set'],
    sentence:
      'The question about encryption is answered for this build, and the answer cannot be changed. If it is wrong, correct ITSAppUsesNonExemptEncryption, build again and submit that build.',
    does: 'done',
  },
  {
    code: 'compliance_missing',
    calls: ['compliance', 'beta-review', 'group', 'add-item', 'submit-review'],
    fragments: ['MISSING_EXPORT_COMPLIANCE', 'export compliance'],
    sentence:
      'The build lacks an answer about encryption, or an approved declaration for it. Give it in App Store Connect under TestFlight, then submit this build again: nothing is uploaded twice.',
    retry: 'after-action',
    link: CONNECT_APPS,
  },
  {
    code: 'compliance_missing',
    codes: ['ENTITY_ERROR.ATTRIBUTE.REQUIRED'],
    pointer: 'usesNonExemptEncryption',
    sentence:
      'The build lacks an answer about encryption. Give it in App Store Connect under TestFlight, then submit this build again: nothing is uploaded twice.',
    retry: 'after-action',
    link: CONNECT_APPS,
  },
  {
    code: 'notes_locked',
    calls: ['notes'],
    fragments: ['cannot be edited at this time'],
    sentence:
      'App Store Connect takes no notes for testers now, so the build gets none; a retry does not help.',
    does: 'done',
  },
  {
    code: 'notes_too_long',
    calls: ['notes'],
    codes: ['ENTITY_ERROR.ATTRIBUTE.INVALID.TOO_LONG'],
    sentence:
      'The notes for testers are longer than 4,000 characters. Shorten the release notes and submit this build again: nothing is uploaded twice.',
    retry: 'after-action',
  },
  {
    code: 'notes_characters',
    calls: ['notes'],
    codes: ['ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_CHARACTERS'],
    sentence:
      'The notes for testers have characters that Apple does not take: the log has its words about them. Remove them from the release notes and submit this build again: nothing is uploaded twice.',
    retry: 'after-action',
  },
  {
    code: 'notes_exist',
    calls: ['notes'],
    codes: ['ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE'],
    sentence:
      'The build has got notes in this language at the same moment. Slipway reads them and tries again; after too many attempts, submit again.',
    retry: 'again',
  },
  {
    code: 'notes_locale_unknown',
    calls: ['notes'],
    codes: ['ENTITY_ERROR.ATTRIBUTE.INVALID'],
    pointer: 'locale',
    sentence:
      'App Store Connect does not know a language of the release notes. Use its locales, such as en-US, and submit this build again: nothing is uploaded twice.',
    retry: 'after-action',
  },
  {
    code: 'group_needs_review',
    calls: ['group'],
    fragments: ['externally assignable state'],
    sentence:
      'External groups do not get the build yet: Apple still handles its encryption or its beta review. Slipway tries again; after too many attempts, look at the build in App Store Connect and submit it again.',
    retry: 'again',
    afterSeconds: 30,
  },
  {
    code: 'group_has_all_builds',
    calls: ['group'],
    fragments: ['Cannot add internal group'],
    sentence: 'The internal group gets all builds by itself; you have nothing to do.',
    does: 'done',
  },
];

export const BETA_REVIEW_ROWS: readonly AppleRefusalRow[] = [
  {
    code: 'build_still_processed',
    calls: ['beta-review', 'group'],
    fragments: ['valid processing state'],
    sentence:
      'Apple still processes the build. Slipway waits and tries again; after too many attempts, submit this build again later: nothing is uploaded twice.',
    retry: 'again',
    does: 'wait-for-processing',
    afterSeconds: 15,
  },
  {
    code: 'another_build_in_review',
    calls: ['beta-review'],
    codes: ['ENTITY_UNPROCESSABLE.ANOTHER_BUILD_IN_REVIEW'],
    sentence:
      'Another build of this version is in beta review. Slipway tries again for some hours; then wait for that review, or expire that build in App Store Connect, and submit this build again.',
    retry: 'again',
    afterSeconds: 3600,
  },
  {
    code: 'beta_review_known',
    calls: ['beta-review'],
    codes: ['ENTITY_UNPROCESSABLE.INVALID_QC_STATE'],
    sentence:
      'The build is in beta review already, or was reviewed. Look at its state in App Store Connect under TestFlight; a retry does not help.',
    link: CONNECT_APPS,
    does: 'done',
  },
  {
    code: 'beta_review_limit',
    calls: ['beta-review'],
    codes: ['ENTITY_UNPROCESSABLE.SUBMISSION_LIMIT_REACHED'],
    sentence:
      'Apple takes no more builds for beta review today. Slipway tries again for some hours; then submit this build again tomorrow: nothing is uploaded twice.',
    retry: 'again',
    afterSeconds: 3600,
  },
  {
    code: 'beta_contract_missing',
    calls: ['beta-review'],
    codes: ['ENTITY_UNPROCESSABLE.BETA_CONTRACT_MISSING'],
    sentence:
      "The team lacks Apple's agreement for tests with external testers. Ask Apple's developer support for it, then submit this build again: nothing is uploaded twice.",
    retry: 'after-action',
    link: 'https://developer.apple.com/contact/',
  },
  {
    code: 'test_information_missing',
    calls: ['beta-review'],
    fragments: ['Beta App Description', 'Beta App Review Information', 'Test Information'],
    sentence:
      'External tests need Test Information. Fill it in in App Store Connect under TestFlight (description, feedback e-mail, contact), then submit this build again: nothing is uploaded twice.',
    retry: 'after-action',
    link: CONNECT_APPS,
  },
  {
    code: 'sdk_not_released',
    calls: ['beta-review', 'group'],
    codes: ['ENTITY_UNPROCESSABLE.BUILD_SDK_NOT_ALLOWED_FOR_EXTERNAL_TESTING'],
    sentence:
      'The app was built with a beta of Xcode, which external testers do not get. Build with a released Xcode and submit that build; a retry does not help.',
    link: XCODE_RELEASES,
  },
];
