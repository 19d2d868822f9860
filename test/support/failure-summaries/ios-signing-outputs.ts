/**
 * What Xcode prints when it signs and exports, the rules that know it, and what a summary says about it.
 * Made from the outputs that each line names, in few lines, with other names and paths. Issues are those of GitHub.
 */
export const iosSigningOutputs: Readonly<
  Record<string, readonly [rules: string, cause: RegExp, source: string]>
> = {
  'ios-signing/ios-profile-certificate': [
    'ios-profile-certificate xcode-failed',
    /profile Shop Store was made for another certificate/,
    'fastlane/fastlane #18267, codenameone/CodenameOne #5836',
  ],
  'ios-signing/ios-profile-capability': [
    'ios-profile-capability xcode-failed',
    /does not allow aps-environment|does not allow Push Notifications/,
    'andrehtissot/cordova-plugin-fcm-with-dependecy-updated #175',
  ],
  'ios-signing/ios-profile-capability-needed': [
    'ios-profile-capability-needed xcode-failed',
    /allows Push Notifications/,
    'phonegap/phonegap-plugin-push #2707',
  ],
  'ios-signing/ios-profile-entitlements': [
    'ios-profile-entitlements xcode-failed',
    /values for com\.apple\.security\.application-groups/,
    'Artificial-Pancreas/iAPS #126, achorein/expo-share-intent #181',
  ],
  'ios-signing/ios-profile-entitlements-several': [
    'ios-profile-entitlements',
    /values for application-identifier and keychain-access-groups/,
    'codenameone/CodenameOne #3688',
  ],
  'ios-signing/ios-profile-missing': [
    'ios-profile-missing',
    /no profile for com\.acme\.shop\.share\./,
    'MicrosoftDocs/azure-devops-docs #6436',
  ],
  'ios-signing/ios-profile-missing-team': [
    'ios-profile-missing',
    /finds no profile\./,
    'sparkfabrik/ios-build-action #11',
  ],
  'ios-signing/ios-profile-missing-export': [
    'ios-profile-missing xcode-failed',
    /no profile for org\.example\.my-app\./,
    'apache/cordova-ios #1122',
  ],
  'ios-signing/ios-profile-type': [
    'ios-profile-type xcode-failed',
    /profile Shop Ad Hoc has another type/,
    'fastlane/fastlane #17349',
  ],
  'ios-signing/ios-profile-expired': [
    'ios-profile-expired',
    /profile Shop Store has expired/,
    'litchie/dospad #53',
  ],
  'ios-signing/ios-profile-needed': [
    'ios-profile-needed xcode-failed',
    /Share got no profile/,
    'theengs/app #121, microsoft/azure-pipelines-tasks #7228',
  ],
  'ios-signing/ios-profile-needed-export': [
    'ios-profile-needed xcode-failed',
    /got no profile/,
    'futuregene/future-os #105, NativeScript/NativeScript #9411',
  ],
  'ios-signing/ios-profile-not-supported': [
    'ios-profile-not-supported',
    /given to SDWebImage, which needs none/,
    'moezakura/mux-pod #67, hoaye/AutoPacking-iOS #4',
  ],
  'ios-signing/ios-signing-conflict': [
    'ios-signing-conflict',
    /target App has settings of automatic and of manual/,
    'fastlane/fastlane #21870, codemagic-ci-cd/cli-tools #203',
  ],
  'ios-signing/ios-signing-team': [
    'ios-signing-team',
    /target TOCropViewController-TOCropViewControllerBundle is signed/,
    'juliuscanute/qr_code_scanner #632',
  ],
  'ios-signing/ios-certificate-missing': [
    'ios-certificate-missing xcode-failed',
    /no certificate iOS Distribution\./,
    'fastlane/fastlane #15968',
  ],
  'ios-signing/ios-keychain': [
    'ios-keychain xcode-failed',
    /cannot use the private key/,
    'fastlane/fastlane #21291, dotnet/macios #26189',
  ],
  'ios-signing/ios-identity-ambiguous': [
    'ios-identity-ambiguous',
    /Several keychains/,
    'johnno1962/injectionforxcode #40',
  ],
  'ios-signing/ios-export-method': [
    'ios-export-method xcode-failed',
    /no app that can be exported/,
    'fastlane/fastlane #10559, flutter/flutter #159519',
  ],
  'ios-signing/ios-export-failed': [
    'ios-export xcode-failed',
    /could not export the archive/,
    'fastlane/fastlane #5066, #9458',
  ],
};
