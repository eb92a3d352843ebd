// A host's program: it knows the package and nothing else of this project. It prints what it saw, as JSON.
import { createEngine, nodeIds, organizationRequest, projection, systemClock } from 'countersign'
import { generateKey, stampedRequest } from 'countersign/signatures'
import { sqliteStore } from 'countersign/store-sqlite'

const seen = {}
let jumpMs = 0
const clock = { ...systemClock(), now: () => Date.now() + jumpMs }
let events = 0
const source = nodeIds()
const ids = { ...source, eventId: () => ((events += 1), source.eventId()) }
const names = projection({
  name: 'names',
  version: 1,
  project: ({ type, organization, activity: key, sequence: order }) =>
    type === 'ActivityCompleted' ? [{ _tag: 'put', organization, key, order, facets: {}, value: key }] : [],
})

const open = () => createEngine({ store: sqliteStore({ path: process.argv[2] }), clock, ids, projections: [names] })
const key = generateKey('API_KEY_CURVE_P256')
const organizationId = crypto.randomUUID()
const tag = (userTagName) => {
  const parameters = { userTagName, userIds: [] }
  const type = 'ACTIVITY_TYPE_CREATE_USER_TAG'
  return stampedRequest(key, { type, timestampMs: String(clock.now()), organizationId, parameters })
}

const engine = await open()
await engine.createOrganization(organizationRequest({ name: 'Host', organizationId, key }))()
const last = await engine.lastPosition()()
seen.processed = (await engine.whenProcessed(last.right, 'names')())._tag
const giveUp = new AbortController()
setTimeout(() => giveUp.abort(), 20)
seen.abortedWait = (await engine.whenProcessed(last.right + 1n, 'names', giveUp.signal)()).left?.code

jumpMs = 365 * 24 * 60 * 60 * 1000
const late = await engine.submit('create_user_tag', tag('a year ahead'))()
seen.createdInAYear = new Date(late.right.createdAtMs).getUTCFullYear() - new Date().getUTCFullYear()
seen.ids = events > 0

const aborted = new AbortController()
aborted.abort()
seen.aborted = (await engine.submit('create_user_tag', tag('aborted'), { signal: aborted.signal })()).left?.code

const underWay = engine.submit('create_user_tag', tag('while it closes'))()
await engine.close()
seen.drained = (await underWay).right?.status
seen.afterClose = (await engine.submit('create_user_tag', tag('too late'))()).left?.code

const again = await open()
const replayed = await again.replayOrganization(organizationId)()
seen.kept = [...replayed.right.state.userTags.values()].map(({ tagName }) => tagName)
await again.close()
console.log(JSON.stringify(seen))
