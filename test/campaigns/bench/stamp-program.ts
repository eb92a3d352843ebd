/*
 * Stamps requests in a process of its own: a signature takes about as long as the lines of an activity.
 */
import { doJobs } from './child.ts'
import { beginnings, renamings, type Asked } from './stamped.ts'

doJobs({
  renamings: async (asked: Asked) => renamings(asked),
  beginnings: async (asked: Asked) => beginnings(asked),
})
