/**
 * What CocoaPods and the Swift Package Manager print, the rules that know it, and what a summary says about it.
 * Made from the outputs that each line names, in few lines, with other names and paths. Issues are those of GitHub.
 */
export const packageOutputs: Readonly<
  Record<string, readonly [rules: string, cause: RegExp, source: string]>
> = {
  'cocoapods/cocoapods-versions': [
    'cocoapods-versions',
    /the pod GoogleUtilities\/UserDefaults fits/,
    'CocoaPods/CocoaPods #9114',
  ],
  'cocoapods/cocoapods-deployment-target': [
    'cocoapods-deployment-target cocoapods-versions',
    /pod FirebaseCore needs a newer iOS/,
    'CocoaPods/CocoaPods #9529, #7304',
  ],
  'cocoapods/cocoapods-outdated-repos': [
    'cocoapods-spec-missing cocoapods-versions',
    /finds no pod AcmePayments \(= 4\.2\.1\)\./,
    'CocoaPods/CocoaPods: lib/cocoapods/resolver.rb',
  ],
  'cocoapods/cocoapods-spec-missing': [
    'cocoapods-spec-missing',
    /finds no pod AcmeShop\./,
    'CocoaPods/CocoaPods: lib/cocoapods/resolver.rb',
  ],
  'cocoapods/cocoapods-cdn': [
    'cocoapods-cdn',
    /cannot reach the list of its pods at https:\/\/cdn\.cocoapods\.org\./,
    'CocoaPods/CocoaPods #9618',
  ],
  'cocoapods/cocoapods-cdn-update': [
    'cocoapods-cdn',
    /cannot reach the list of its pods\./,
    'CocoaPods/CocoaPods #9306',
  ],
  'cocoapods/cocoapods-cdn-source': [
    'git-not-found cocoapods-cdn',
    /cannot reach|no such repository/,
    'CocoaPods/CocoaPods #9270',
  ],
  'cocoapods/cocoapods-local-pod-missing': [
    'cocoapods-local-pod-missing',
    /the pod CapacitorCamera of a package/,
    'CocoaPods/CocoaPods: lib/cocoapods/external_sources/path_source.rb',
  ],
  'cocoapods/cocoapods-podfile': [
    'cocoapods-podfile',
    /Podfile cannot be read: cannot load such file/,
    'CocoaPods/Core: podfile.rb',
  ],
  'cocoapods/cocoapods-download': [
    'git-not-found cocoapods-download',
    /git\.acme\.example/,
    'actorapp/actor-platform #386; CocoaPods/cocoapods-downloader: git.rb',
  ],
  'cocoapods/cocoapods-download-http': [
    'cocoapods-download',
    /source of the pod AcmePayments/,
    'actorapp/actor-platform #386; CocoaPods/cocoapods-downloader: http.rb',
  ],
  'cocoapods/cocoapods-target-missing': [
    'cocoapods-target-missing',
    /the target App Clip, which/,
    'CocoaPods/CocoaPods: installer/analyzer/target_inspector.rb',
  ],
  'cocoapods/cocoapods-project-missing': [
    'cocoapods-project-missing',
    /which Xcode project/,
    'CocoaPods/CocoaPods: installer/analyzer/target_inspector.rb',
  ],
  'cocoapods/cocoapods-static-binaries': [
    'cocoapods-static-binaries',
    /dynamic frameworks/,
    'CocoaPods/CocoaPods: installer/xcode/target_validator.rb',
  ],
  'cocoapods/cocoapods-modular-headers': [
    'cocoapods-modular-headers',
    /Swift pod FirebaseCoreInternal imports/,
    'CocoaPods/CocoaPods: installer/xcode/target_validator.rb',
  ],
  'cocoapods/cocoapods-hook': ['cocoapods-hook', /post-install hook/, 'CocoaPods/CocoaPods: installer.rb'],
  'cocoapods/cocoapods-lock-changed': [
    'cocoapods-lock-changed',
    /does not fit the Podfile/,
    'CocoaPods/CocoaPods: installer.rb',
  ],
  'cocoapods/cocoapods-plugin-missing': [
    'cocoapods-plugin-missing',
    /plugin cocoapods-patch of CocoaPods/,
    'CocoaPods/CocoaPods: installer.rb',
  ],
  'cocoapods/cocoapods-project-format': [
    'cocoapods-project-format',
    /does not know the format/,
    'CocoaPods/CocoaPods #12840, #12671',
  ],
  'cocoapods/cocoapods-ruby': [
    'cocoapods-ruby',
    /Ruby, or a gem, does not fit/,
    'CocoaPods/CocoaPods #12744',
  ],
  'cocoapods/cocoapods-gem-missing': [
    'cocoapods-ruby',
    /Ruby, or a gem, does not fit/,
    'ruby/rubygems: lib/rubygems.rb',
  ],
  'cocoapods/cocoapods-encoding': ['cocoapods-encoding', /without UTF-8/, 'CocoaPods/CocoaPods: bin/pod'],
  'cocoapods/cocoapods-root': [
    'cocoapods-root',
    /runs as root/,
    'CocoaPods/CocoaPods: lib/cocoapods/command.rb',
  ],
  'cocoapods/cocoapods-sandbox': [
    'cocoapods-sandbox',
    /not those of Podfile\.lock/,
    'bitrise-steplib/steps-fastlane #55',
  ],
  'swift-packages/swift-package-versions': [
    'swift-package-versions swift-package-failed',
    /No versions of the Swift packages/,
    'ionic-team/capacitor-swift-pm #27, #28',
  ],
  'swift-packages/swift-package-versions-older': [
    'swift-package-versions-older',
    /No versions of the Swift packages/,
    'Schlaubischlump/LocationSimulator #67',
  ],
  'swift-packages/swift-package-tools': [
    'swift-package-tools swift-package-failed',
    /package pspdfkit-sp needs a newer Xcode/,
    'zotero/zotero-ios #1220',
  ],
  'swift-packages/swift-package-manifest-missing': [
    'swift-package-manifest-missing swift-package-failed',
    /does not exist: node_modules\/@capacitor-community\/in-app-review\/Package\.swift/,
    'capacitor-community/in-app-review #72',
  ],
  'swift-packages/swift-package-clone': [
    'swift-package-clone swift-package-failed',
    /package https:\/\/git\.acme\.example\/ui\.git cannot be fetched/,
    'ospfranco/sol #4, urbanairship/ios-library #425',
  ],
  'swift-packages/swift-package-ssh': [
    'git-authentication swift-package-clone swift-package-failed',
    /cannot be fetched|refuses the credentials/,
    'ospfranco/sol #4',
  ],
  'swift-packages/swift-package-authentication': [
    'swift-package-authentication swift-package-failed',
    /refuses the credentials, or there are none/,
    'luispadron/UICircularProgressRing #256, bitrise-steplib/steps-ios-auto-provision #89',
  ],
  'swift-packages/swift-package-resolved': [
    'swift-package-resolved swift-package-failed',
    /Package\.resolved is missing/,
    'flutter/flutter #185035, AlphaWallet/alpha-wallet-ios #5296',
  ],
  'swift-packages/swift-package-schema': [
    'swift-package-resolved swift-package-failed',
    /newer Xcode/,
    'ospfranco/sol #4',
  ],
  'swift-packages/swift-package-binary': [
    'swift-package-binary swift-package-failed',
    /binary of a Swift package/,
    'swiftlang/swift-package-manager: Sources/Workspace/Diagnostics.swift',
  ],
  'swift-packages/swift-package-checksum': [
    'swift-package-checksum swift-package-failed',
    /package Maps is not the one/,
    'swiftlang/swift-package-manager: Sources/Workspace/Diagnostics.swift',
  ],
  'swift-packages/swift-package-product-missing': [
    'swift-package-product-missing xcode-failed',
    /does not find CapApp-SPM/,
    'ionic-team/capacitor #8437',
  ],
  'swift-packages/swift-package-macro': [
    'swift-package-macro xcode-failed',
    /macro CasePathsMacros/,
    'bitrise-io/bitrise #935, Beingpax/VoiceInk #921',
  ],
  'swift-packages/swift-package-macro-newer': [
    'swift-package-macro',
    /macro MLXHuggingFaceMacros/,
    'Beingpax/VoiceInk #921',
  ],
  'swift-packages/swift-package-plugin': [
    'swift-package-plugin xcode-failed',
    /plug-in BenchmarkPlugin/,
    'ordo-one/benchmark #173',
  ],
  'swift-packages/swift-package-duplicate': [
    'swift-package-duplicate',
    /same Swift package twice/,
    'published logs of xcodebuild; swiftlang/swift-build: SWBBuildService/Messages.swift',
  ],
};
