import type { FailureRule } from '../failure-rule.js';

const LOCAL = 'Build with the same variant on your machine, in a fresh clone: ./gradlew --no-daemon.';

/** What Gradle and its wrapper say: about the wrapper itself, Java, memory, dependencies and tasks. */
export const gradleRules: readonly FailureRule[] = [
  {
    name: 'gradle-wrapper-jar-missing',
    mark: /Could not find or load main class org\.gradle\.wrapper\.GradleWrapperMain|^(?:Error: )?Unable to access jarfile .{0,300}gradle-wrapper\.jar/,
    cause: () => 'The repository has no gradle/wrapper/gradle-wrapper.jar, which gradlew starts.',
    advice: [
      'Commit gradle/wrapper/gradle-wrapper.jar: rules for *.jar in .gitignore often leave it out (git add -f).',
      'If the file is there, it is damaged, such as by Git LFS or line ends: run gradle wrapper on your machine, and commit.',
    ],
  },
  {
    name: 'gradle-wrapper-not-executable',
    mark: /^(?:\S{1,100}: )?(?:\d{1,3}: |line \d{1,5}: )?(?:\.\/|\S{1,300}\/)gradlew: (?:Permission denied|not found|cannot execute)/,
    cause: () => 'gradlew cannot be started.',
    advice: [
      'Make it executable and commit: git update-index --chmod=+x gradlew.',
      'If it is executable, it has the line ends of Windows: add "gradlew text eol=lf" to .gitattributes, then git add --renormalize gradlew.',
    ],
  },
  {
    name: 'gradle-wrapper-crlf',
    mark: /^(?:\/usr\/bin\/)?env: ['‘"]?(?:sh|bash)(?:\\r|\^M)?['’"]?: No such file|gradlew: (?:\/bin\/sh|\/usr\/bin\/env sh|\/bin\/bash)(?:\\r|\^M): bad interpreter/,
    cause: () => 'gradlew has the line ends of Windows, which Linux cannot run.',
    advice: [
      'Commit it with the line ends of Unix: add "gradlew text eol=lf" to .gitattributes, then git add --renormalize gradlew.',
    ],
  },
  {
    name: 'gradle-java-too-new',
    mark: /Unsupported class file major version (\d{1,3})/,
    cause: (version) => `This version of Gradle does not know Java ${javaOf(version)}.`,
    advice: [
      'Update Gradle (gradle/wrapper/gradle-wrapper.properties), or choose an older Java with JAVA_VERSION in the environment.',
    ],
  },
  {
    name: 'gradle-java-too-old',
    mark: /(?:Android Gradle plugin requires Java|^Gradle requires JVM) (\d{1,2}) (?:to run\. You are currently using|or later to run)/,
    cause: (version) =>
      `Gradle, or the Android Gradle plugin, requires Java ${version ?? 'of another version'}.`,
    advice: [
      'Set JAVA_VERSION in the environment to this version, or remove the older one that is set there.',
      'The runner must have it: its operator adds JDKs to RUNNER_JDK_DIR.',
    ],
  },
  {
    name: 'gradle-class-version',
    mark: /has been compiled by a more recent version of the Java Runtime \(class file version (\d{1,3})/,
    cause: (version) => `A plugin of the build needs Java ${javaOf(version)}.`,
    advice: ['Set JAVA_VERSION in the environment to this version, or use an older version of the plugin.'],
  },
  {
    name: 'gradle-heap',
    mark: /OutOfMemoryError: (?:Java heap space|GC overhead limit exceeded|Metaspace)|^(?:> )?Expiring Daemon because JVM heap space is exhausted/,
    cause: () => 'Java needed more memory than it may use.',
    advice: [
      'The heap comes from the memory of the runner (RUNNER_MEMORY): ask its operator for more.',
      'Or need less: turn off R8 full mode, or build fewer variants at once.',
    ],
  },
  {
    name: 'gradle-daemon-gone',
    mark: /Gradle build daemon disappeared unexpectedly/,
    cause: () => 'The process of Gradle was killed, mostly because the memory was used up.',
    advice: [
      'Lower the heap in org.gradle.jvmargs and kotlin.daemon.jvmargs of gradle.properties: the sum must fit the memory of the runner.',
      'Or ask the operator of the runner for more memory (RUNNER_MEMORY).',
    ],
  },
  {
    name: 'gradle-unresolved',
    mark: /^\s{0,9}(?:> )?Could not (?:find|resolve) ([\w.-]{1,150}:[\w.-]{1,150}(?::[\w.+-]{1,80})?)\.?$/,
    cause: (detail) => `Gradle cannot get ${detail ?? 'a dependency'}.`,
    shows:
      /^\s{0,9}> Could not (?:GET|HEAD|get resource)|^\s{0,9}> .{0,200}(?:Received status code|Unknown host|timed out)/,
    advice: [
      'Check its version, and that repositories of settings.gradle or build.gradle name the one that has it, such as google() and mavenCentral().',
      'A private repository needs credentials as secrets of the environment. Private networks are closed to builds: RUNNER_ALLOW opens them.',
    ],
  },
  {
    name: 'gradle-distribution',
    mark: /^Exception in thread "main" java\.(?:net\.(?:UnknownHostException|ConnectException|SocketTimeoutException)|io\.(?:FileNotFoundException|IOException)): .{0,60}(?:services\.gradle\.org|Downloading from |https:\/\/)/,
    cause: () => 'The wrapper could not download Gradle.',
    advice: [
      'Check distributionUrl in gradle/wrapper/gradle-wrapper.properties.',
      'Builds reach the internet, and private networks only where the operator of the runner opens them (RUNNER_ALLOW).',
    ],
  },
  {
    name: 'gradle-task-missing',
    mark: /(?:^|> )(?:Task|Cannot locate tasks that match) '([^']{1,200})' (?:not found in|is ambiguous in|as task)/,
    cause: (detail) => `The project has no task ${detail ?? 'of this name'}.`,
    advice: [
      'Check the type of the build, ANDROID_BUILD_TYPE and ANDROID_FLAVOR: they must be names of build.gradle.',
      'Run ./gradlew tasks on your machine: it lists the tasks.',
    ],
  },
  {
    name: 'gradle-plugin-missing',
    mark: /^(?:> )?Plugin \[id: '([^']{1,200})'/,
    cause: (detail) => `Gradle cannot find the plugin ${detail ?? ''}.`,
    advice: ['Check its version, and the repositories of pluginManagement in settings.gradle.'],
  },
  {
    name: 'gradle-task-failed',
    isGeneral: true,
    mark: /^Execution failed for task '([^']{1,200})'/,
    cause: (detail) => `The task ${detail ?? ''} of Gradle has failed.`,
    shows: 4,
    advice: ['Read the lines below "What went wrong".', LOCAL],
  },
];

/** The version of Java that writes class files of a version: 61 is 17. */
function javaOf(version: string | undefined): string {
  const number = Number(version);
  return Number.isInteger(number) && number > 44 ? String(number - 44) : 'of this version';
}
