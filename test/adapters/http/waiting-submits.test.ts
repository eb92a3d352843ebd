import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { stamp } from '../../../adapters/signatures/signer.ts'
import type { SignatureClaim, Signatures } from '../../../core/ports/signatures.ts'
import { faultyStore, held, heldAtAppend } from '../../core/command/faulty-store.ts'
import { begin, right, world, type Signer, type World } from '../../core/world/world.ts'
import { until } from '../../until.ts'
import { serving, turns } from './transport.ts'

const it = suite('submits that wait for their turn')

const SUBMIT = '/public/v1/submit/create_user_tag'
const TURN_MS = 100

it('refuses at once what would wait for too long: nothing is verified or stored, and the same bytes are accepted later', async () => {
  await slowServer(async ({ send, waits, hold, body, w, store, verified }) => {
    const gate = hold()
    const first = send(w.root, body('first'))
    await gate.begun
    const second = await waits(w.root, body('second'))
    const [verifiedBefore, attemptsBefore, third] = [verified(), store.attempts.length, body('third')]
    const refusal = await send(w.root, third)
    assert.is(refusal.status, 429)
    assert.is(refusal.retryAfter, '1')
    assert.match(refusal.text, '"turnkeyErrorCode":"RATE_LIMIT_EXCEEDED"')
    assert.is((await send(w.root, third, new Uint8Array())).status, 429) // a false stamp is not looked at either
    assert.is(verified(), verifiedBefore)
    gate.letGo()
    assert.equal([(await first).status, (await second.answer).status], [200, 200])
    assert.is(store.attempts.length, attemptsBefore + 1)
    assert.equal(await tagsOf(w), ['first', 'second'])

    assert.is((await send(w.root, third)).status, 200)
    assert.is((await send(w.root, third)).status, 200) // the same activity
    assert.equal(await tagsOf(w), ['first', 'second', 'third'])
  })
})

it('refuses neither a quiet organization nor another caller beside a caller who is refused', async () => {
  await slowServer(async ({ send, waits, hold, body, w, ada, grace, quietOne, quietBody }) => {
    const gate = hold()
    const first = send(w.root, body('first'))
    await gate.begun
    const second = await waits(w.root, body('second'))
    assert.is((await send(w.root, body('refused'))).status, 429)
    const others = [await waits(ada, body("ada's")), await waits(quietOne, quietBody('quiet'))]
    assert.is((await send(ada, body('refused'))).status, 429)
    assert.is((await send(grace, body('refused'))).status, 429) // the bound holds for all callers together, too
    gate.letGo()
    const answers = await Promise.all([first, second.answer, ...others.map(({ answer }) => answer)])
    assert.equal(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.equal(await tagsOf(w), ['first', 'second', "ada's"])
  })
})

it('refuses nobody because of requests with false stamps', async () => {
  await slowServer(async ({ send, waits, hold, body, w }) => {
    const gate = hold()
    const first = send(w.root, body('first'))
    await gate.begun
    const forged = Array.from({ length: 20 }, (_, n) => send(w.root, body(`forged ${n}`), new Uint8Array()))
    assert.equal(new Set((await Promise.all(forged)).map(({ status }) => status)), new Set([401]))
    const second = await waits(w.root, body('second'))
    gate.letGo()
    assert.equal([(await first).status, (await second.answer).status], [200, 200])
  })
})

it('refuses the rest of many that come at the same time', async () => {
  await slowServer(async ({ send, hold, body, w }) => {
    const gate = hold()
    const first = send(w.root, body('first'))
    await gate.begun
    const told: number[] = []
    const crowd = Array.from({ length: 8 }, async (_, n) => told.push((await send(w.root, body(`${n}`))).status))
    await until(() => told.length === 7)
    assert.equal(
      told,
      Array.from({ length: 7 }, () => 429),
    )
    gate.letGo()
    await Promise.all(crowd)
    assert.is(told[7], 200)
    assert.is((await first).status, 200)
    assert.is((await tagsOf(w)).length, 2)
    assert.is((await send(w.root, body('after the crowd'))).status, 200)
  })
})

type Told = { readonly status: number; readonly retryAfter: string | null; readonly text: string }

type SlowServer = {
  readonly w: World
  readonly store: ReturnType<typeof faultyStore>
  readonly ada: Signer
  readonly grace: Signer
  /** The root of another organization. */
  readonly quietOne: Signer
  readonly body: (tag: string) => Uint8Array
  readonly quietBody: (tag: string) => Uint8Array
  /** Sends the body; it is stamped over other bytes if they are given. */
  readonly send: (person: Signer, body: Uint8Array, stampedBytes?: Uint8Array) => Promise<Told>
  /** Sends, and resolves when the submit was verified and waits for its turn. */
  readonly waits: (person: Signer, body: Uint8Array) => Promise<{ readonly answer: Promise<Told> }>
  /** The next append waits until it is let go. */
  readonly hold: () => ReturnType<typeof held>
  /** How many stamps were verified, or begun to be. */
  readonly verified: () => number
}

/** A server that decides one submit at a time. Each of the last ones has kept its place for `TURN_MS`; one and a half may be waited. */
const slowServer = async (use: (server: SlowServer) => Promise<void>): Promise<void> => {
  const store = faultyStore()
  const { signatures, begun, ended } = counted(nodeSignatures())
  const w = await world({ store, signatures, commandsAtOnce: 1 })
  const people = { ada: await w.enrol('ada'), grace: await w.enrol('grace') }
  await w.done(w.root, 'create_policy', {
    policyName: 'everybody tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'USER'",
    consensus: 'approvers.count() >= 1',
    notes: '',
  })
  const { root: quietOne, organizationId: quietId } = await begin(w)
  const bodyIn = (organizationId: string, userTagName: string): Uint8Array =>
    w.body('create_user_tag', { userTagName, userIds: [] }, { organizationId })
  for (let n = 0; n < 5; n += 1) {
    const slow = await heldAtAppend(store, () => w.send(quietOne, 'create_user_tag', bodyIn(quietId, `slow ${n}`)))
    w.clock.pass(TURN_MS)
    slow.letGo()
    right(await slow.begun)
  }
  try {
    await serving(w.engine, { waitForTurnMaxMs: 1.5 * TURN_MS }, async (url) => {
      const send: SlowServer['send'] = async ({ key }, body, stampedBytes = body) => {
        const headers = { 'X-Stamp': stamp(key, stampedBytes) }
        const answer = await fetch(url + SUBMIT, { method: 'POST', body: body.slice(), headers })
        return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
      }
      await use({
        ...people,
        w,
        store,
        quietOne,
        body: (name) => bodyIn(w.organizationId, name),
        quietBody: (name) => bodyIn(quietId, name),
        send,
        waits: async (person, body) => {
          const before = begun()
          const answer = send(person, body)
          await until(() => begun() > before && ended() === begun())
          await turns() // it has joined the queue
          return { answer }
        },
        hold: () => {
          const gate = held()
          store.plan(gate.fault)
          return gate
        },
        verified: begun,
      })
    })
  } finally {
    await w.close()
  }
}

const counted = (signatures: Signatures) => {
  let [begun, ended] = [0, 0]
  const verify = (claim: SignatureClaim): Promise<boolean> => {
    begun += 1
    return signatures.verify(claim).finally(() => (ended += 1))
  }
  return { signatures: { ...signatures, verify }, begun: () => begun, ended: () => ended }
}

const tagsOf = async ({ answer, root }: World): Promise<readonly string[]> =>
  ((await answer(root, 'list_user_tags')).userTags as readonly { readonly tagName: string }[]).map((one) => one.tagName)

it.run()
