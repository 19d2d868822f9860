import { Global, Module, type Type } from '@nestjs/common';
import { BuildNumbersModule } from '../../app-submissions/build-numbers/build-numbers.module.js';
import { BuildNumbersService } from '../../app-submissions/build-numbers/build-numbers.service.js';
import { StoreBuildNumbers } from '../../native-builds/store-build-numbers/store-build-numbers.js';

/** It has the form of the port, without knowing it. */
const numbers: Type<StoreBuildNumbers> = BuildNumbersService;

/** Global because it provides `StoreBuildNumbers` to builds, which may import neither this area nor submissions to stores. */
@Global()
@Module({
  imports: [BuildNumbersModule],
  providers: [{ provide: StoreBuildNumbers, useExisting: numbers }],
  exports: [StoreBuildNumbers],
})
export class StoreBuildNumbersModule {}
