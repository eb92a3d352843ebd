import type { TimeZones } from './time-zones.ts'

/** What stands where no time zones were given: policies can ask for times of UTC alone. */
export const noTimeZones: TimeZones = { version: 'none', isKnown: () => false, offsetMs: () => undefined }
