import type { FailureRule } from '../failure-rule.js';

const PLUGIN = 'If the file belongs to a plugin, update the plugin.';

/** What the compilers and the linker of Xcode say. */
export const xcodeCompilerRules: readonly FailureRule[] = [
  {
    name: 'xcode-module-missing',
    mark: /error: (?:no such module|Unable to (?:find|resolve) module dependency:|could not build (?:Objective-C )?module) ['‘]([^'’]{1,200})['’]/,
    cause: (detail) => `The module ${detail ?? ''} does not exist, or was not built.`,
    advice: [
      'With CocoaPods, the workspace must be built, and the target of the app must be in the Podfile.',
      'With Swift packages, the product must be added to the target (CapApp-SPM in projects of Capacitor).',
      'A project has either: after a move to Swift packages, remove the Podfile.',
    ],
  },
  {
    name: 'xcode-swift-version',
    mark: /error: module compiled with Swift ([\d.]{1,12}) cannot be imported by the Swift ([\d.]{1,12}) compiler|error: compiled module was created by a (?:newer|different) version of the compiler/,
    cause: () => 'A framework was compiled with another version of Swift.',
    advice: [
      'Update the plugin that brings it: frameworks need "Build Libraries for Distribution".',
      'Or set XCODE_VERSION in the environment to the Xcode that it was made with.',
    ],
  },
  {
    name: 'xcode-libarclite',
    mark: /SDK does not contain 'libarclite' at the path|libarclite_iphone(?:os|simulator)\.a/,
    cause: () => 'A pod has a deployment target below what this Xcode supports.',
    advice: [
      'Raise it for all pods in post_install of the Podfile: IPHONEOS_DEPLOYMENT_TARGET, at least 12.0.',
      'Or update the pod that has it.',
    ],
  },
  {
    name: 'xcode-header-missing',
    mark: /fatal error: '([^']{1,300})' file not found/,
    cause: (detail) => `The header ${detail ?? ''} does not exist.`,
    shows: /fatal error: '/,
    advice: ['Install the pods and npm packages that the file belongs to, and build the workspace.', PLUGIN],
  },
  {
    name: 'xcode-swift',
    mark: /^(\/?\S.{0,300}\.swift):\d{1,6}:\d{1,6}: error: (?!no such module|module compiled with|[Uu]nable to|could not build)/,
    cause: (detail) => `The Swift compiler found an error in ${baseName(detail)}.`,
    shows: /\.swift:\d{1,6}:\d{1,6}: error: /,
    advice: [
      'Correct the lines that it names, or set XCODE_VERSION in the environment to the Xcode of your machine.',
      PLUGIN,
    ],
  },
  {
    name: 'xcode-clang',
    mark: /^(\/?\S.{0,300}\.(?:mm?|c|cc|cpp|h)):\d{1,6}:\d{1,6}: error: /,
    cause: (detail) => `The compiler found an error in ${baseName(detail)}.`,
    shows: /\.(?:mm?|c|cc|cpp|h):\d{1,6}:\d{1,6}: error: /,
    advice: ['Correct the lines that it names.', PLUGIN],
  },
  {
    name: 'xcode-assets',
    mark: /\.xcassets:(?:\.\/\S{0,300}:)? error: (.{1,200})$/,
    cause: (detail) => `The images of the app cannot be compiled: ${detail ?? ''}`,
    shows: /\.xcassets:/,
    advice: ['Check AppIcon of Assets.xcassets, and that its files were committed.'],
  },
  {
    name: 'xcode-undefined-symbol',
    mark: /^(?:ld: )?Undefined symbols?(?: for architecture \w{1,20})?:/i,
    detail: /^\s{1,4}"([^"]{1,300})", referenced from:/,
    cause: (detail) => `The linker does not find ${detail === undefined ? 'what the code uses' : detail}.`,
    shows: /^\s{1,4}"[^"]{1,300}", referenced from:|^\s{6}\S.{0,200} in /,
    advice: [
      'Link the framework that has it to the target: by its pod, its Swift package or Frameworks, Libraries, and Embedded Content.',
      'A library for the simulator alone has nothing for devices.',
    ],
  },
  {
    name: 'xcode-duplicate-symbol',
    mark: /^(?:ld: )?(?:duplicate symbol '([^']{1,300})' in:|\d{1,6} duplicate symbols)/,
    cause: () => 'Two libraries have the same symbol.',
    detail: /duplicate symbol '([^']{1,300})'/,
    shows: /^(?:ld: )?duplicate symbol |^\s{4}\//,
    advice: [
      'Remove one of them: mostly the same library as a pod and as a Swift package, or -ObjC with a library that is linked twice.',
    ],
  },
  {
    name: 'xcode-library-missing',
    mark: /^ld: (?:framework|library) (?:not found for |not found )?(?:-l)?['‘]?([\w.+-]{1,200})['’]?(?: not found)?$/,
    cause: (detail) => `The linker does not find the library ${detail ?? ''}.`,
    advice: [
      'If its name begins with Pods, the project itself was built instead of the workspace: Podfile and workspace must be beside it.',
      'Otherwise add the pod or package that has it, or remove it from Other Linker Flags.',
    ],
  },
  {
    name: 'xcode-linker-architecture',
    mark: /^ld: (?:building for ['‘]?iOS(?:-simulator)?['’]?, but linking in|.{0,200}building for iOS.{0,20}but linking in)/,
    cause: () => 'A library was made for another platform, such as the simulator.',
    advice: ['Use an XCFramework of the library, which has both, or remove arm64 from EXCLUDED_ARCHS.'],
  },
];

function baseName(path = ''): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
