/** Lists at the end of a run the tests that passed or failed only after a retry: each is a bug (docs/testing.md). */
export default class RetriedReporter {
  onRunComplete(_contexts, { testResults }) {
    const retried = testResults.flatMap(({ testFilePath, testResults: tests }) =>
      tests
        .filter(({ invocations = 1 }) => invocations > 1)
        .map(({ fullName, status }) => `  ${status}: ${testFilePath}: ${fullName}`),
    );
    if (retried.length > 0) process.stderr.write(`\nTests that needed a retry:\n${retried.join('\n')}\n`);
  }
}
