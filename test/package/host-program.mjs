// A host's program: it knows the package and nothing else of this project. It prints what it saw, as JSON.
import { createEngine, nodeIds, organizationRequest, projection, publicApi, resource, systemClock } from 'countersign'
import { events } from 'countersign/define'
import { userTags } from 'countersign/api'
import { generateKey, stampedRequest } from 'countersign/signatures'
import { sqliteStore } from 'countersign/store-sqlite'

const seen = {}
let jumpMs = 0
const clock = { ...systemClock(), now: () => Date.now() + jumpMs }
let idsMade = 0
const source = nodeIds()
const ids = { ...source, eventId: () => ((idsMade += 1), source.eventId()) }
const names = projection({
  name: 'names',
  version: 1,
  on: [
    events(['ActivityCompleted'], (_, { organization, activityId: key, sequence: order }) => [
      { _tag: 'put', organization, key, order, facets: {}, value: key },
    ]),
  ],
})

const resources = [...publicApi, resource({ name: 'names', projections: [names] })]
const open = () => createEngine({ store: sqliteStore({ path: process.argv[2] }), clock, ids, resources })
const key = generateKey('API_KEY_CURVE_P256')
const organizationId = crypto.randomUUID()
const tag = (userTagName) => {
  const parameters = { userTagName, userIds: [] }
  const type = 'ACTIVITY_TYPE_CREATE_USER_TAG'
  return stampedRequest(key, { type, timestampMs: String(clock.now()), organizationId, parameters })
}

const codeOf = (promise) =>
  promise.then(
    () => 'done',
    ({ code }) => code,
  )

const engine = await open()
await engine.createOrganization(organizationRequest({ name: 'Host', organizationId, key }))
const last = await engine.lastPosition()
seen.processed = await codeOf(engine.whenProcessed(last, 'names'))
const giveUp = new AbortController()
const waiting = codeOf(engine.whenProcessed(last + 1n, 'names', giveUp.signal))
setImmediate(() => giveUp.abort())
seen.abortedWait = await waiting

jumpMs = 365 * 24 * 60 * 60 * 1000
const asked = clock.now()
const late = await engine.submit('create_user_tag', tag('a year ahead'))
seen.createdByItsClock = asked <= late.createdAtMs && late.createdAtMs <= clock.now()
seen.ids = idsMade > 0

const aborted = new AbortController()
aborted.abort()
seen.aborted = await codeOf(engine.submit('create_user_tag', tag('aborted'), { signal: aborted.signal }))

const underWay = engine.submit('create_user_tag', tag('while it closes'))
await engine.close()
seen.drained = (await underWay).status
seen.afterClose = await codeOf(engine.submit('create_user_tag', tag('too late')))

const again = await open()
const { state } = await again.replayOrganization(organizationId)
seen.kept = [...userTags.of(state).values()].map(({ tagName }) => tagName)
await again.close()
console.log(JSON.stringify(seen))
