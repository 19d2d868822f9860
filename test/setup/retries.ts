import { jest } from '@jest/globals';

// Real processes, sockets and clocks on a machine that may be busy with other work: what fails is tried once more. Its
// first failure is printed, and is a bug to be found all the same.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
