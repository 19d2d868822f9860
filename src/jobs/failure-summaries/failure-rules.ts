import type { FailureRule } from './failure-rule.js';
import { androidRules } from './rules/android.rules.js';
import { cocoapodsRules } from './rules/cocoapods.rules.js';
import { compilerRules } from './rules/compiler.rules.js';
import { gitRules } from './rules/git.rules.js';
import { gradleRules } from './rules/gradle.rules.js';
import { iosSigningRules } from './rules/ios-signing.rules.js';
import { machineRules } from './rules/machine.rules.js';
import { npmPackageRules } from './rules/npm-packages.rules.js';
import { npmRegistryRules } from './rules/npm-registry.rules.js';
import { packageManagerRules } from './rules/package-manager.rules.js';
import { projectRules } from './rules/project.rules.js';
import { signingRules } from './rules/signing.rules.js';
import { swiftPackageRules } from './rules/swift-packages.rules.js';
import { viteRules } from './rules/vite.rules.js';
import { xcodeCompilerRules } from './rules/xcode-compilers.rules.js';
import { xcodeRules } from './rules/xcode.rules.js';

/** All rules that recognize a failure by the log. Where two recognize the same line, the first one counts. */
export const failureRules: readonly FailureRule[] = [
  ...npmPackageRules,
  ...npmRegistryRules,
  ...packageManagerRules,
  ...gitRules,
  ...projectRules,
  ...compilerRules,
  ...viteRules,
  ...signingRules,
  ...androidRules,
  ...gradleRules,
  ...cocoapodsRules,
  ...swiftPackageRules,
  ...iosSigningRules,
  ...xcodeCompilerRules,
  ...xcodeRules,
  ...machineRules,
];
