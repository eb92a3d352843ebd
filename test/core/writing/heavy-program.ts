import { withHost } from '../world/with-host.ts'
/*
 * The process of a test in `live-activities.test.ts`: activities wait in it that are larger together than its heap, and it has
 * to stay able to answer. Prints what it measured.
 */
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { E } from '../../../core/prelude.ts'
import { right, world } from '../world/world.ts'
import { keepText } from '../audit/large-requests.ts'

const [path = '', count = ''] = process.argv.slice(2)
const LINE = 'x'.repeat(1024 * 1024 - 2_000)

const store = right(await openSqliteStore({ path })())
const w = await world({ store, resources: withHost([keepText]) })
const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
const policy = { policyName: 'two', effect: 'EFFECT_ALLOW', consensus: 'approvers.count() >= 2', notes: '' }
await w.done(w.root, 'create_policy', policy)

const measured = (when: string): void => {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const [heap, beside, all] = [heapUsed, external, rss].map((bytes) => `${Math.round(bytes / 2 ** 20)} MiB`)
  console.log(`${when}: heap ${heap}, beside it ${beside}, process ${all}`)
}
const must = (isSo: boolean, what: string): void => {
  if (!isSo) throw new Error(what)
}

measured('at the beginning')
const waiting = []
for (let n = 0; n < Number(count); n += 1) {
  const { id, fingerprint } = await w.done(ada, 'keep_text', { lines: [`${n}`, LINE] })
  waiting.push({ id, fingerprint })
}
measured(`${count} wait`)
for (const { id: activityId } of waiting) {
  const { activity } = await w.answer(w.root, 'get_activity', { activityId })
  must((activity as { readonly canApprove: boolean }).canApprove, 'it cannot be approved')
}
measured('all were asked for')
let before: string | undefined
let listed = 0
do {
  const paginationOptions = { limit: '100', ...(before === undefined ? {} : { before }) }
  const { activities } = await w.answer(w.root, 'list_activities', { paginationOptions })
  const page = activities as readonly { readonly id: string }[]
  must(page.length < 10, 'a list is answered that is larger than the heap')
  listed += page.length
  before = page.at(-1)?.id
} while (before !== undefined)
must(listed > waiting.length, 'the lists are not whole')
measured('they were listed')
for (const { fingerprint } of waiting.slice(0, 10)) {
  const approved = await w.submit(grace, 'approve_activity', { fingerprint })
  must(E.isRight(approved) && approved.right.status === 'ACTIVITY_STATUS_COMPLETED', 'it was not completed')
}
measured('ten were approved')
await w.close()
console.log('done')
