import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';

/** Which mails about events a user wants. */
@Entity('notice_settings')
export class NoticeSettings {
  @PrimaryColumn('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('boolean', { default: true })
  approvals!: boolean;

  @Column('boolean', { default: false })
  health!: boolean;

  @Column('boolean', { default: true })
  webhooks!: boolean;
}
