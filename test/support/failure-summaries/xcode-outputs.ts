/**
 * What Xcode prints when it builds, the rules that know it, and what a summary says about it.
 * Made from the outputs that each line names, in few lines, with other names and paths. Issues are those of GitHub.
 */
export const xcodeOutputs: Readonly<Record<string, readonly [rules: string, cause: RegExp, source: string]>> =
  {
    'xcode/xcode-scheme': ['xcode-scheme', /no scheme Store\./, 'fastlane/fastlane #20039'],
    'xcode/xcode-scheme-action': [
      'xcode-scheme-action',
      /scheme App does not archive/,
      'microsoft/appcenter-sdk-react-native #900',
    ],
    'xcode/xcode-platform': [
      'xcode-platform xcode-destination',
      /does not have the platform iOS 26\.2/,
      'actions/runner-images #12771, openfoodfacts/smooth-app #7482, dotnet/maui #34675',
    ],
    'xcode/xcode-destination': [
      'xcode-destination',
      /cannot be built for iOS/,
      'getsentry/sentry-cocoa #6763',
    ],
    'xcode/xcode-sdk': ['xcode-sdk', /the SDK iphoneos19\.0/, 'man page of xcodebuild: -sdk'],
    'xcode/xcode-missing': ['xcode-missing', /Xcode where there is none/, 'CocoaPods/CocoaPods #12378'],
    'xcode/xcode-licence': ['xcode-licence', /licence of this Xcode/, 'oss-gate/workshop #324'],
    'xcode/xcode-first-launch': ['xcode-first-launch', /never set up/, 'glyph/Encrust #12'],
    'xcode/xcode-project-format': ['xcode-project-format', /newer Xcode/, 'sweetpad-dev/sweetpad #34'],
    'xcode/xcode-project-damaged': [
      'xcode-project-damaged',
      /project file of App is damaged/,
      '0xced/XCDYouTubeKit #409',
    ],
    'xcode/xcode-container-missing': [
      'xcode-container-missing',
      /no App\.xcworkspace/,
      'bitrise-io/codesigndoc #4',
    ],
    'xcode/xcode-pods-not-installed': [
      'xcode-pods-not-installed xcode-failed',
      /pods that are not installed/,
      'swiftlang/swift-build: SWBCore/WorkspaceSettingsCache.swift',
    ],
    'xcode/xcode-input-missing': [
      'xcode-input-missing xcode-failed',
      /contains GoogleService-Info\.plist, which/,
      'zodl-inc/zodl-ios #545; swiftlang/swift-build: SWBBuildSystem/BuildOperation.swift',
    ],
    'xcode/xcode-duplicate-output': [
      'xcode-duplicate-output xcode-failed',
      /make Info\.plist\./,
      'swiftlang/swift-build: SWBBuildSystem/BuildOperation.swift',
    ],
    'xcode/xcode-script-sandbox': [
      'xcode-script-sandbox xcode-failed',
      /forbids bash of a build phase/,
      'CocoaPods/CocoaPods #12760, googleads/googleads-mobile-ios-examples #432',
    ],
    'xcode/xcode-script-command': [
      'xcode-script-command xcode-failed',
      /uses swiftlint, which/,
      'GNU Bash: a command that it does not find',
    ],
    'xcode/xcode-script-env': [
      'xcode-script-command xcode-failed',
      /uses node, which/,
      'man page of env: a program that it does not find',
    ],
    'xcode/xcode-script-failed': [
      'xcode-failed',
      /A script of the Xcode project has failed\./,
      'jconst/JCDialPad #2, bitrise-io/bitrise #967',
    ],
    'xcode/xcode-disk': ['xcode-failed disk', /disk/, 'errno(3): ENOSPC'],
    'xcode/xcode-module-missing': [
      'xcode-module-missing xcode-failed',
      /module Capacitor does not exist/,
      'ionic-team/capacitor #744, #8470',
    ],
    'xcode/xcode-module-dependency': [
      'xcode-module-missing xcode-failed',
      /module Cordova does not exist/,
      'Swift Forums 80516',
    ],
    'xcode/xcode-swift-version': [
      'xcode-swift-version xcode-failed',
      /another version of Swift/,
      'swiftlang/swift: DiagnosticsSema.def',
    ],
    'xcode/xcode-libarclite': [
      'xcode-libarclite xcode-failed',
      /below what this Xcode supports/,
      'replete-repl/replete-ios #155',
    ],
    'xcode/xcode-header-missing': [
      'xcode-header-missing',
      /header Cordova\/CDV\.h/,
      'llvm/llvm-project: DiagnosticLexKinds.td',
    ],
    'xcode/xcode-swift': [
      'xcode-swift xcode-failed',
      /error in CartPlugin\.swift/,
      'swiftlang/swift: DiagnosticsSema.def',
    ],
    'xcode/xcode-clang': [
      'xcode-clang xcode-failed',
      /error in Bridge\.m/,
      'llvm/llvm-project: DiagnosticSemaKinds.td',
    ],
    'xcode/xcode-assets': [
      'xcode-assets',
      /images of the app cannot be compiled/,
      'published logs of actool in Xcode 26',
    ],
    'xcode/xcode-undefined-symbol': [
      'xcode-undefined-symbol xcode-failed',
      /does not find _OBJC_CLASS_\$_FBSDKLoginManager/,
      'capacitor-community/google-maps #25',
    ],
    'xcode/xcode-undefined-symbol-short': [
      'xcode-undefined-symbol',
      /does not find what the code uses/,
      'oddbit/flutter_facebook_app_events #361',
    ],
    'xcode/xcode-duplicate-symbol': [
      'xcode-duplicate-symbol',
      /same symbol/,
      'apple-oss-distributions/ld64: SymbolTable.cpp',
    ],
    'xcode/xcode-library-missing': [
      'xcode-library-missing',
      /library Pods_App\./,
      'published logs of Flutter projects without pods',
    ],
    'xcode/xcode-library-missing-older': [
      'xcode-library-missing',
      /library Cordova\./,
      'apple-oss-distributions/ld64: Options.cpp',
    ],
    'xcode/xcode-linker-architecture': [
      'xcode-linker-architecture',
      /another platform/,
      'published logs of ld with libraries for another platform',
    ],
    'xcode/xcode-linker': ['xcode-failed', /linker of Xcode has failed/, 'ionic-team/capacitor #1258'],
  };
