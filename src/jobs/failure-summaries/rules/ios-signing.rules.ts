import type { FailureRule } from '../failure-rule.js';

const PORTAL = "Make the profile again on Apple's page, and upload it to the certificate of the build.";
const IN_TARGET = /\(in target '([^']{1,200})' from project/;

/** What Xcode says about certificates, profiles and entitlements, when it archives and when it exports. */
export const iosSigningRules: readonly FailureRule[] = [
  {
    name: 'ios-profile-certificate',
    mark: /[Pp]rovisioning profile ["“]([^"”]{1,200})["”] doesn['’]t include signing certificate/,
    cause: (detail) => `The profile ${detail ?? ''} was made for another certificate.`,
    advice: [`${PORTAL} Choose the certificate there that builds sign with.`],
  },
  {
    name: 'ios-profile-capability',
    mark: /[Pp]rovisioning profile ["“](?:[^"”]{1,200})["”] doesn['’]t (?:support|include) the ([\w .()-]{1,120}?) (?:capability|entitlement)/,
    cause: (detail) => `The profile does not allow ${detail ?? 'a capability of the app'}.`,
    shows: /doesn['’]t (?:support|include) the [\w .()-]{1,120} (?:capability|entitlement)/,
    advice: [
      `Turn it on for the bundle id (Identifiers on Apple's page). ${PORTAL}`,
      'Or remove the capability from the entitlements of the app.',
    ],
  },
  {
    name: 'ios-profile-capability-needed',
    mark: /error: ["“]?(?:[^"”]{1,200}?)["”]? requires a provisioning profile with the ([\w ,()-]{1,200}?) features?\b/,
    cause: (detail) => `The app needs a profile that allows ${detail ?? 'its capabilities'}.`,
    advice: [`Turn it on for the bundle id (Identifiers on Apple's page). ${PORTAL}`],
  },
  {
    name: 'ios-profile-entitlements',
    mark: /[Pp]rovisioning profile ["“](?:[^"”]{1,200})["”] doesn['’]t match the entitlements file['’]s values? for the (.{1,200}?) entitlements?\b/,
    cause: (detail) =>
      `The profile and the entitlements file of the app have different values for ${detail ?? 'an entitlement'}.`,
    shows: /doesn['’]t match the entitlements file['’]s value/,
    advice: [
      'aps-environment: "development" belongs to development profiles, "production" to all others. Groups must be those of the bundle id.',
      PORTAL,
    ],
  },
  {
    name: 'ios-profile-missing',
    mark: /No profiles for '([^']{1,200})' were found|No profile for team '[^']{1,40}' matching '[^']{1,200}' found|No "[^"]{1,60}" profiles for team '[^']{1,40}' matching '[^']{1,200}' are installed/,
    cause: (detail) => `Xcode finds no profile${detail === undefined ? '' : ` for ${detail}`}.`,
    advice: [
      'Upload a profile for this bundle id to the certificate, also for each extension of the app.',
      'If a target uses a bundle id that Slipway did not see, such as one of an xcconfig file, name the targets in IOS_PROVISIONING_PROFILE_MAP.',
    ],
  },
  {
    name: 'ios-profile-type',
    mark: /[Pp]rovisioning profile ["“]([^"”]{1,200})["”] is not an ["“]([^"”]{1,60})["”] profile/,
    cause: (detail) => `The profile ${detail ?? ''} has another type than the build.`,
    advice: ['Upload a profile of the type of the build, or start the build with the type of the profile.'],
  },
  {
    name: 'ios-profile-expired',
    mark: /[Pp]rovisioning profile ["“]([^"”]{1,200})["”] (?:has )?expired/,
    cause: (detail) => `The profile ${detail ?? ''} has expired.`,
    advice: [PORTAL],
  },
  {
    name: 'ios-profile-needed',
    mark: /error: (?:exportArchive:? )?["“]?(\S[^"”]{0,200}?)["”]? requires a provisioning profile\b(?! with)/,
    cause: (detail) => `${detail ?? 'A target'} got no profile.`,
    detail: IN_TARGET,
    shows: /requires a provisioning profile\b/,
    advice: [
      'Upload a profile for its bundle id to the certificate of the build.',
      'Extensions need one each, and IOS_PROVISIONING_PROFILE_MAP says which bundle id belongs to which target.',
    ],
  },
  {
    name: 'ios-profile-not-supported',
    mark: /error: (\S.{0,200}?) does not support provisioning profiles/,
    cause: (detail) => `A profile was given to ${detail ?? 'a target'}, which needs none.`,
    advice: [
      'Remove PROVISIONING_PROFILE_SPECIFIER from the Podfile, from xcconfig files and from the settings of the whole project: only apps and extensions have profiles.',
    ],
  },
  {
    name: 'ios-signing-conflict',
    mark: /error: (\S.{0,200}?) has conflicting provisioning settings/,
    cause: (detail) => `The target ${detail ?? ''} has settings of automatic and of manual signing.`,
    advice: [
      'Remove CODE_SIGN_IDENTITY and PROVISIONING_PROFILE_SPECIFIER from xcconfig files, the Podfile and the settings of the whole project: Slipway writes them to the targets.',
    ],
  },
  {
    name: 'ios-signing-team',
    mark: /error: Signing for ["“]([^"”]{1,200})["”] requires a development team/,
    cause: (detail) => `The target ${detail ?? ''} is signed, but has no team.`,
    advice: [
      'If it is a resource bundle of a pod, turn its signing off in the Podfile (CODE_SIGNING_ALLOWED = NO in post_install), or update CocoaPods.',
      'If it is an app or an extension, it must be a target of the Xcode project that is built.',
    ],
  },
  {
    name: 'ios-certificate-missing',
    mark: /No signing certificate ["“]([^"”]{1,200})["”] found|No ["“][^"”]{1,100}["”] signing certificate matching team ID/,
    cause: (detail) => `Xcode finds no certificate ${detail ?? 'for this build'}.`,
    advice: [
      'Use a certificate of the type of the build: Apple Development for development, Apple Distribution for all others.',
      'Its team must be that of the profile, and the .p12 must contain its private key.',
    ],
  },
  {
    name: 'ios-keychain',
    mark: /errSecInternalComponent/,
    cause: () => 'codesign cannot use the private key: its keychain is locked, or asks for permission.',
    shows: /Signing Identity: |errSecInternalComponent/,
    advice: [
      'The operator of the runner starts it in the session of a signed-in user, not from SSH or as a daemon: "slipway runner doctor" checks the keychain.',
      "If a certificate of Apple is missing there, its chain is incomplete: install Apple's intermediate certificates (WWDR).",
    ],
  },
  {
    name: 'ios-identity-ambiguous',
    mark: /: ambiguous \(matches ["“]([^"”]{1,200})["”]/,
    cause: () => 'Several keychains of the runner have a certificate of this name.',
    advice: [
      'The operator of the runner removes certificates from the keychains of its user: builds bring their own.',
    ],
  },
  {
    name: 'ios-export-method',
    mark: /exportOptionsPlist error for key ["“']method["”']:? expected one (?:of )?\{\}/,
    cause: () => 'The archive has no app that can be exported.',
    advice: [
      'Set SKIP_INSTALL to YES for all frameworks and libraries, and to NO for the app only.',
      'Check IOS_SCHEME: the scheme must archive the app.',
    ],
  },
  {
    name: 'ios-export',
    mark: /error: exportArchive:? (?:The operation couldn['’]t be completed|IPA processing failed|Rsync failed|Copy failed)/,
    cause: () => 'Xcode could not export the archive.',
    shows: 4,
    advice: [
      'Export the archive on your machine with the same profile: Xcode shows more there.',
      'Check that every framework in the app is for devices, and not for the simulator.',
    ],
  },
];
