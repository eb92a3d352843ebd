/**
 * The main job in one screen: two of three officers must approve, over HTTP, with stamps; then the log tells it again, and
 * an auditor checks a copy. It starts what it needs itself, and leaves nothing behind: `npm run example:approvals`.
 */
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, E, organizationRequest, type Engine, type Failure, type Json } from 'countersign'
import { auditLog, exportLog } from 'countersign/audit'
import { httpServer } from 'countersign/http'
import { generateKey, stamp, type SigningKey } from 'countersign/signatures'
import { sqliteStore } from 'countersign/store-sqlite'

type Person = { readonly name: string; readonly key: SigningKey }
type Activity = {
  readonly id: string
  readonly status: string
  readonly fingerprint: string
  readonly result: {
    readonly createUsersResult?: { readonly userIds: readonly string[] }
    readonly createUserTagResult?: { readonly userTagId: string }
  }
}
type Answer = { readonly activity: Activity }
type Send = (person: Person, operation: string, type: string, parameters: Json) => Promise<Activity>

const main = async (folder: string): Promise<void> => {
  const path = join(folder, 'activities.db')
  const engine = await createEngine({ store: sqliteStore({ path }) })
  const server = httpServer(engine)
  try {
    const { url } = await server.listen()
    const root = personOf('Root')
    const request = organizationRequest({ name: 'Treasury', key: root.key })
    const { activity, genesisHash } = right(await engine.createOrganization(request)())
    const { organizationId } = activity
    say(1, `Serving at ${url}, on ${path}.`, `Organization Treasury: ${organizationId}`)

    const activityId = await approve(sender(url, organizationId), root)
    await replay(engine, organizationId, activityId)
    await audit(path, join(folder, 'log.jsonl'), new Map([[organizationId, genesisHash]]))
  } finally {
    await server.close()
    await engine.close()
  }
}

const approve = async (send: Send, root: Person): Promise<string> => {
  const people = ['Charles', 'Ada', 'Grace', 'Edsger'].map(personOf)
  const [charles = root, ada = root, grace = root] = people
  const users = people.map(userParams)
  const enrolled = await send(root, 'create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })
  const [, ...officers] = enrolled.result.createUsersResult?.userIds ?? []
  const tag = { userTagName: 'officers', userIds: officers }
  const tagged = await send(root, 'create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)
  const tagId = tagged.result.createUserTagResult?.userTagId ?? ''
  const policy = {
    policyName: 'Two of three officers let somebody in',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'USER' && activity.action == 'CREATE'",
    consensus: `approvers.filter(user, user.tags.contains('${tagId}')).count() >= 2`,
    notes: '',
  }
  await send(root, 'create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
  say(
    2,
    'Users Charles, Ada, Grace and Edsger; the last three are officers. The policy:',
    policy.condition,
    policy.consensus,
  )

  const newcomer = { users: [userParams(personOf('Alan'))] }
  const asked = await send(charles, 'create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', newcomer)
  say(3, `Charles asks to let Alan in: ${statusOf(asked)}`, asked.fingerprint)

  const { fingerprint } = asked
  const first = await send(ada, 'approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  const second = await send(grace, 'approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  const [userId] = second.result.createUsersResult?.userIds ?? []
  say(4, `Ada approves: ${statusOf(first)}`, `Grace approves: ${statusOf(second)}, with user ${userId}`)
  return second.id
}

const replay = async (engine: Engine, organizationId: string, activityId: string): Promise<void> => {
  const { position, events } = right(await engine.replayActivity(organizationId, activityId)())
  const moments: string[] = []
  for (let at = position - BigInt(events) + 1n; at <= position; at += 1n) {
    const { state } = right(await engine.replayActivity(organizationId, activityId, { to: { position: at } })())
    if (state !== undefined) moments.push(`position ${at}: ${statusOf(state)}, votes: ${state.votes.length}`)
  }
  say(5, 'The log replayed, as the activity was at each event:', ...moments)
}

const audit = async (path: string, copy: string, pins: ReadonlyMap<string, string>): Promise<void> => {
  const { store, readModels } = right(await sqliteStore({ path, readOnly: true })()) // while the server has it open
  const chunks: Uint8Array[] = []
  for await (const chunk of exportLog(store)) chunks.push(right(chunk))
  await writeFile(copy, chunks)
  await readModels.close()
  await store.close()
  const { counts, findings } = right(await auditLog(createReadStream(copy), { pins })())
  say(
    6,
    'A copy of the log, audited without the server:',
    `${counts.events} events: ${counts.stamps} stamps, ${counts.decisions} decisions and ${counts.executions} executions hold`,
    `findings: ${findings.length}`,
  )

  const tampered = await readFile(copy)
  const middle = tampered.length >> 1
  tampered[middle] = (tampered[middle] ?? 0) ^ 1
  const [finding] = right(await auditLog([tampered], { pins })()).findings
  say(7, `One bit flipped at byte ${middle} of the copy, audited again:`, `line ${finding?.line}: ${finding?.message}`)
}

/** Stamps a body, posts those bytes, and gives the activity of the answer. */
const sender =
  (url: string, organizationId: string): Send =>
  async ({ key }, operation, type, parameters) => {
    const body = Buffer.from(JSON.stringify({ type, timestampMs: String(Date.now()), organizationId, parameters }))
    const headers = { 'Content-Type': 'application/json', 'X-Stamp': stamp(key, body) }
    const response = await fetch(`${url}/public/v1/submit/${operation}`, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as Answer).activity // our own server's
  }

const personOf = (name: string): Person => ({ name, key: generateKey('API_KEY_CURVE_P256') })

const userParams = ({ name, key }: Person): Json => ({
  userName: name,
  apiKeys: [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: key.curve }],
  authenticators: [],
  oauthProviders: [],
  userTags: [],
})

const statusOf = ({ status }: { readonly status: string }): string => status.replace('ACTIVITY_STATUS_', '')

const right = <A>(outcome: E.Either<Failure, A>): A => {
  if (E.isRight(outcome)) return outcome.right
  throw new Error(`${outcome.left.code}: ${outcome.left.message}`)
}

const say = (step: number, title: string, ...lines: readonly string[]): void =>
  console.log([`${step}. ${title}`, ...lines.map((line) => `   ${line}`), ''].join('\n'))

const folder = await mkdtemp(join(tmpdir(), 'countersign-approvals-'))
try {
  await main(folder)
} finally {
  await rm(folder, { recursive: true, force: true })
}
