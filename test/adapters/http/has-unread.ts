import { Unread } from '../../../core/codec/deferred.ts'

/** Whether entries were read that the operation refuses later: see `deferred`. */
export const hasUnread = (value: unknown): boolean =>
  value instanceof Unread ||
  (typeof value === 'object' && value !== null && Object.values(value).some((member) => hasUnread(member)))
