import { Module } from '@nestjs/common';
import { GroupSignIns } from './group-sign-ins.js';

/** Apart from OpenID, because commands use organizations without its pages. */
@Module({ providers: [GroupSignIns], exports: [GroupSignIns] })
export class GroupSignInsModule {}
