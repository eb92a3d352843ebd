import { userTags } from '../../core/resources/user-tag/user-tags.ts'
import { withHost } from '../with-host.ts'
import { createEngine } from '../../core/create-engine.ts'
import type { CreatedOrganization } from '../../core/command/create-organization.ts'
import type { Engine } from '../../core/engine.ts'
import { encodeUtf8 } from '../../core/bytes.ts'
import type { Json } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'
import type { SigningKey } from '../../adapters/signatures/signer.ts'
import { genesisBody } from '../world.ts'
import type { Journal, Letter, Violation } from './journal.ts'
import { activityRowsResource } from '../activity-rows.ts'
import { payments } from './payments.ts'
import { checkRows, checkShown, checkTold, truthOf } from './promises.ts'
import { random as randomOf, randomIds } from './random.ts'
import { scheduler as schedulerOf } from './scheduler.ts'
import { keys, simulatedSignatures, simulatedStamp } from './simulated-signatures.ts'
import { disk as diskOf, type StoreBug } from './simulated-storage.ts'

export type Simulated = {
  readonly seed: number
  readonly violations: readonly Violation[]
  readonly counts: {
    readonly steps: number
    readonly answers: number
    readonly crashes: number
    readonly events: number
    readonly conflicts: number
  }
}

export type SimulationOptions = { readonly bug?: StoreBug | undefined; readonly steps?: number }

const ORGANIZATION = '11111111-1111-4111-8111-111111111111'
const PROCESSES = 2
const UNDER_WAY_MAX = 6

type Process = { engine: Engine | undefined; kill: () => Promise<void>; life: object }

/**
 * One history, from one seed: two processes on one disk that fails, clients that know nothing of it, and a clock that
 * jumps. Whatever anybody is told is checked against the log at that moment; at the end the disk heals, everything that
 * got no answer is sent again, and the whole has to add up.
 */
export const simulate = async (seed: number, { bug, steps = 220 }: SimulationOptions = {}): Promise<Simulated> => {
  const random = randomOf(seed)
  const scheduler = schedulerOf(random)
  const disk = diskOf(random, scheduler, bug)
  const { pay, paid } = payments(random, scheduler)
  const journal: Journal = { letters: [] }
  const violations: Violation[] = []
  const violate = (violation: Violation): void => void violations.push(violation)
  const counts = { steps: 0, answers: 0, crashes: 0, events: 0, conflicts: 0 }
  const resources = [...withHost([pay]), activityRowsResource]
  const users = new Map<SigningKey, string>()
  let nonce = 0

  const processes: Process[] = Array.from({ length: PROCESSES }, () => ({
    engine: undefined,
    kill: () => Promise.resolve(),
    life: {},
  }))

  const start = (process: Process): void => {
    const { storage, kill } = disk.mount()
    process.kill = kill
    const life = {}
    process.life = life
    const made = createEngine({
      store: storage,
      signatures: simulatedSignatures,
      clock: scheduler.clock,
      ids: randomIds(random),
      resources,
      waitForEffectsMs: 50,
      organizationsMax: 3,
    })
    const ready = async (): Promise<void> => {
      try {
        const engine = await made
        if (process.life === life) process.engine = engine
      } catch {
        if (process.life === life) start(process)
      }
    }
    void ready()
  }

  const crash = async (process: Process): Promise<void> => {
    counts.crashes += 1
    process.engine = undefined
    await process.kill()
    for (const { underWay } of journal.letters) underWay.delete(process.life) // who waited for it hears nothing
    start(process)
  }

  const request = (key: SigningKey, body: Uint8Array) => ({
    headers: { 'x-stamp': simulatedStamp(key, body) },
    body,
    address: null,
  })

  const send = ({ engine, life }: Process, letter: Letter): void => {
    if (engine === undefined || letter.underWay.has(life)) return
    letter.underWay.add(life)
    const hear = async (): Promise<void> => {
      const asked = request(letter.key, letter.body)
      const answer =
        letter.path === 'create_organization'
          ? E.map(({ activity }: CreatedOrganization) => activity)(await engine.createOrganization(asked)())
          : await engine.submit(letter.path, asked)()
      letter.underWay.delete(life)
      letter.answers.push(answer)
      counts.answers += 1
      if (E.isRight(answer)) return checkTold(await truthOf(disk.storage(), violate), answer.right, violate)
      if (answer.left.code === 'CONFLICT') counts.conflicts += 1
      if (answer.left.code === 'INTERNAL') violate({ promise: 'no failure is INTERNAL', detail: answer.left.message })
    }
    void hear()
  }

  const write = (path: string, key: SigningKey, parameters: Json): Letter => {
    nonce += 1
    const type =
      resources.flatMap(({ operations }) => operations).find((operation) => operation.path === path)?.type ??
      `ACTIVITY_TYPE_${path.toUpperCase()}`
    const sentAtMs = scheduler.clock.now()
    const body = encodeUtf8(
      JSON.stringify({ type, timestampMs: String(sentAtMs), organizationId: ORGANIZATION, parameters, nonce }),
    )
    const letter: Letter = { path, body, key, answers: [], underWay: new Set(), sentAtMs }
    journal.letters.push(letter)
    return letter
  }

  const ask = async (engine: Engine, key: SigningKey): Promise<void> => {
    const { head } = await truthOf(disk.storage(), violate)
    const body = encodeUtf8(JSON.stringify({ organizationId: ORGANIZATION }))
    const answer = await engine.query('list_user_tags', request(key, body))()
    counts.answers += 1
    if (E.isLeft(answer)) return
    checkShown(
      await truthOf(disk.storage(), violate),
      engine.catalogue,
      head,
      answer.right,
      (state) => JSON.stringify([...userTags.of(state).values()].map(({ tagId, tagName }) => [tagId, tagName])),
      ({ userTags }) =>
        JSON.stringify(
          (userTags as readonly { tagId: string; tagName: string }[]).map(({ tagId, tagName }) => [tagId, tagName]),
        ),
      violate,
    )
  }

  const root = keys[0] as SigningKey
  const genesis: Letter = {
    path: 'create_organization',
    body: genesisBody(ORGANIZATION, root, scheduler.clock.now()),
    key: root,
    answers: [],
    underWay: new Set(),
    sentAtMs: scheduler.clock.now(),
  }
  journal.letters.push(genesis)

  const act = async (): Promise<void> => {
    const process = random.pick(processes)
    const { engine } = process
    if (engine === undefined) return
    const known = await truthOf(disk.storage(), violate)
    for (const event of known.events) learn(event.type === 'ActivityCompleted' ? event.data.change : undefined, users)
    const people = [root, ...users.keys()]
    const key = random.pick(people)
    const open = [...known.activities.values()].filter(({ status }) => status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    const luck = random.next()
    if (known.events.length === 0) return send(process, genesis)
    if (luck < 0.12) return void ask(engine, key)
    if (luck < 0.3) return send(process, random.pick(journal.letters))
    if (luck < 0.5 && open.length > 0) {
      const { fingerprint } = random.pick(open)
      return send(process, write(random.chance(0.8) ? 'approve_activity' : 'reject_activity', key, { fingerprint }))
    }
    if (luck < 0.6) {
      const free = keys.find((one) => !people.includes(one))
      if (free !== undefined) return send(process, write('create_users', root, { users: [newUser(free)] }))
    }
    if (luck < 0.66) {
      const members = [...new Set([users.get(root), ...users.values()])].filter((id) => id !== undefined).slice(0, 3)
      return send(
        process,
        write('update_root_quorum', root, {
          threshold: Math.min(members.length, 1 + random.below(2)),
          userIds: members,
        }),
      )
    }
    if (luck < 0.74) {
      const consensus = random.pick(['approvers.count() >= 2', 'approvers.count() >= 1', ''])
      const policy = { policyName: `policy ${nonce}`, effect: 'EFFECT_ALLOW', condition: '', consensus, notes: '' }
      return send(process, write('create_policy', root, policy))
    }
    if (luck < 0.84) return send(process, write('pay', key, { reference: `payment ${nonce}` }))
    return send(process, write('create_user_tag', key, { userTagName: `tag ${random.below(40)}`, userIds: [] }))
  }

  const drain = async (until: () => boolean): Promise<void> => {
    for (let step = 0; step < 4_000 && !until(); step += 1) if (!(await scheduler.step())) break
  }
  const isQuiet = () => journal.letters.every(({ underWay }) => underWay.size === 0)

  async function finish(truth: Awaited<ReturnType<typeof truthOf>>): Promise<void> {
    counts.events = truth.events.length
    for (const letter of journal.letters) {
      for (const answer of letter.answers) if (E.isRight(answer)) checkTold(truth, answer.right, violate)
      const ids = new Set(letter.answers.flatMap((answer) => (E.isRight(answer) ? [answer.right.id] : [])))
      if (ids.size > 1) violate({ promise: 'one body, one activity', detail: [...ids].join(' ') })
    }
    for (const activity of truth.activities.values()) {
      if (
        activity.type === 'ACTIVITY_TYPE_PAY' &&
        activity.status === 'ACTIVITY_STATUS_COMPLETED' &&
        !paid.has(activity.activityId)
      ) {
        violate({ promise: 'what completed was performed', detail: activity.activityId })
      }
    }
    await checkRows(disk.storage(), ORGANIZATION, violate)
  }

  const live = async (): Promise<void> => {
    for (const process of processes) start(process)
    for (counts.steps = 0; counts.steps < steps; counts.steps += 1) {
      const underWay = journal.letters.reduce((sum, letter) => sum + letter.underWay.size, 0)
      if (underWay < UNDER_WAY_MAX && random.chance(0.4)) await act()
      if (random.chance(0.015)) await crash(random.pick(processes))
      if (random.chance(0.004)) scheduler.jump(random.pick([-3_600_000, 60_000, 3_600_000, 365 * 86_400_000]))
      await scheduler.step()
      if (violations.length > 0) break
    }
  }

  /** The disk heals, everybody starts anew, and what got no answer is sent again. */
  const addUp = async (): Promise<void> => {
    disk.heal()
    for (const process of processes) await crash(process)
    await drain(() => processes.every(({ engine }) => engine !== undefined))
    const first = processes[0] as Process
    const { engine } = first
    if (engine === undefined) violate({ promise: 'a process starts on a healthy disk', detail: 'it did not' })
    else {
      for (const letter of journal.letters) if (letter.answers.length === 0) send(first, letter)
      await drain(isQuiet)
      if (!isQuiet()) violate({ promise: 'every request is answered', detail: 'one was not' })
      let truth = await truthOf(disk.storage(), violate)
      const isPending = () => [...truth.activities.values()].some(({ status }) => status === 'ACTIVITY_STATUS_PENDING')
      for (let round = 0; round < 40 && isPending(); round += 1) {
        await drain(() => false)
        truth = await truthOf(disk.storage(), violate)
      }
      if (isPending()) violate({ promise: 'nothing stays PENDING for ever', detail: 'an activity does' })
      let isCaughtUp = false
      void engine
        .whenProcessed(truth.head, 'activity-rows')()
        .then(() => (isCaughtUp = true))
      await drain(() => isCaughtUp)
      await finish(truth)
    }
  }

  await live()
  if (violations.length === 0) await addUp()
  return { seed, violations, counts }
}

const newUser = ({ publicKey }: SigningKey): Json => ({
  userName: `user ${publicKey.slice(0, 8)}`,
  apiKeys: [{ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
  authenticators: [],
  oauthProviders: [],
  userTags: [],
})

/** Who exists, as far as the log says: from the changes that made users. */
const learn = (change: unknown, users: Map<SigningKey, string>): void => {
  if (typeof change !== 'object' || change === null || !('users' in change) || !Array.isArray(change.users)) return
  const made = change.users as readonly {
    readonly userId: string
    readonly apiKeys: readonly { readonly publicKey: string }[]
  }[]
  for (const user of made) {
    const key = keys.find(({ publicKey }) => user.apiKeys.some((own) => own.publicKey === publicKey))
    if (key !== undefined) users.set(key, user.userId)
  }
}
