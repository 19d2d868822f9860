import { describeObjectStorage } from '../storage/object-storage.contract.js';
import { openTestBucket } from '../support/s3/test-bucket.js';

describeObjectStorage('S3ObjectStorage', async () => {
  const { storage, dispose } = await openTestBucket();
  return { storage, dispose };
});
