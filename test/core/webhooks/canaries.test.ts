import { createServer } from 'node:https'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeOutgoing, type Lookup } from '../../../adapters/outgoing/index.ts'
import type { Json } from '../../../core/failure.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import { certificateOf } from '../../certificate-of.ts'
import { internet, listening } from '../../adapters/outgoing/internet.ts'
import { quiet, until } from '../world/under-way.ts'
import { testClock, world, type Place } from '../world/world.ts'
import { happens, hookIn, LEASE_MS } from './receiver.ts'

const it = suite('a secret in the URL of an endpoint')

const CANARY = 'SECRET-CANARY'
const urlAt = (host: string): string => `https://${host}.test/hook/${CANARY}?token=${CANARY}`
/** What an endpoint asks for that need not fail more often. */
const FEW = '{"activityTypes":["ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT"]}'
const PUBLIC = '93.184.215.14'

/** What comes of an attempt, by the host. */
const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['private', 'no-address'],
  ['nowhere', 'no-address'],
  ['nobody', 'connection'],
  ['other', 'certificate'],
  ['broken', '500'],
  ['moved', '302'],
  ['silent', 'time-out'],
])

const lookup: Lookup = async (host) => {
  if (host.startsWith('nowhere')) throw new Error(`getaddrinfo ENOTFOUND ${host}`)
  return host.startsWith('private') ? ['10.0.0.1'] : host.startsWith('nobody') ? ['93.184.215.15'] : [PUBLIC]
}

/** Serves all hosts but one that its certificate does not name. Gives the paths that were asked. */
const broken = (made: ReturnType<typeof certificateOf>) => {
  const paths: string[] = []
  const server = createServer(made, (request, response) => {
    const { url = '', headers } = request
    paths.push(url)
    if (headers.host?.startsWith('silent') === true) return
    if (headers.host?.startsWith('moved') === true) response.writeHead(302, { Location: url }).end(url)
    else response.writeHead(500, { 'Retry-After': url }).end(url)
  })
  return { server, paths }
}

/** All that is listed of the deliveries to endpoints. */
const listed = async (place: Place, endpointIds: readonly string[]): Promise<readonly Json[]> =>
  Promise.all(endpointIds.map((endpointId) => place.answer(place.root, 'list_webhook_deliveries', { endpointId })))

const outcomesIn = (answer: Json | undefined): readonly string[] =>
  (answer as { webhookDeliveries: { attempts: { outcome: string }[] }[] }).webhookDeliveries.flatMap(
    ({ attempts }) => attempts.map(({ outcome }) => outcome), // an answer to this query
  )

it('is in no notice, no list of deliveries and no error, in whichever way the endpoint fails', () =>
  internet(async ({ lead }) => {
    const made = certificateOf(['broken.test', 'moved.test', 'silent.test'])
    const { server, paths } = broken(made)
    await listening(server, async ({ port }) => {
      lead(`${PUBLIC} 443`, { port })
      const notices: Notice[] = []
      const clock = testClock()
      const w = await world({
        testClock: clock,
        webhooks: { outgoing: nodeOutgoing({ clock, lookup, ca: made.cert }) },
        leaseMs: LEASE_MS,
        onNotice: (notice) => void notices.push(notice),
      })
      const hosts = [...OUTCOMES.keys()]
      const endpointIds: string[] = []
      for (const host of hosts)
        endpointIds.push(await hookIn(w, { url: urlAt(host), ...(host !== 'private' && { filtersJson: FEW }) }))
      for (let n = 0; n < 20; n += 1) await happens(w, `tag ${n}`) // so that an endpoint fails that often in a row
      const hasFailed = async (): Promise<readonly boolean[]> => {
        const answers = await listed(w, endpointIds)
        return hosts.map((host, n) => outcomesIn(answers[n]).includes(OUTCOMES.get(host) ?? ''))
      }
      await until(async () => (await hasFailed()).every((is, n) => is || hosts[n] === 'silent'))
      while (!(await hasFailed()).every(Boolean)) {
        clock.pass(10_000)
        await quiet()
      }
      const isWarned = () => notices.some(({ message }) => message.startsWith('an endpoint takes no webhooks'))
      await until(isWarned)

      const bad = `http://10.0.0.1/${CANARY}`
      const [endpointId = ''] = endpointIds
      const errors = await Promise.all([
        w.submit(w.root, 'create_webhook_endpoint', { url: bad, name: 'hook' }),
        w.submit(w.root, 'create_webhook_endpoint', { url: `${CANARY} x`, name: 'hook' }),
        w.submit(w.root, 'update_webhook_endpoint', { endpointId, url: bad }),
        w.submit(w.root, 'set_organization_feature', { name: 'FEATURE_NAME_WEBHOOK', value: bad }),
      ])
      assert.ok(errors.every(({ _tag }) => _tag === 'Left'))
      const told = JSON.stringify([notices, await listed(w, endpointIds), errors])
      assert.not.match(told, CANARY)
      assert.ok(paths.every((path) => path === `/hook/${CANARY}?token=${CANARY}`))
      assert.match(JSON.stringify(await w.answer(w.root, 'list_webhook_endpoints')), CANARY)
      await w.close()
      assert.not.match(JSON.stringify(notices), CANARY)
    })
  }))

it.run()
