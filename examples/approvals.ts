/**
 * The main job: two of three officers must approve, over HTTP, with stamps. Then the log is replayed, and an auditor checks a copy. The
 * program starts its own server, and removes all its files: `npm run example:approvals`.
 */
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createEngine, generateKey } from 'countersign'
import * as api from 'countersign/api'
import { auditLog, exportLog } from 'countersign/audit'
import { httpServer } from 'countersign/http'
import { sqliteStore } from 'countersign/store-sqlite'

type Person = { readonly name: string; readonly key: ReturnType<typeof generateKey> }
/** Makes the client of a person. */
type As = (person: Person) => ReturnType<typeof connect>

const main = async (folder: string): Promise<void> => {
  const path = join(folder, 'activities.db')
  const engine = await createEngine({ store: sqliteStore({ path }) })
  const server = httpServer(engine)
  try {
    const { url } = await server.listen()
    const root = personOf('Root')
    const { organizationId, genesisHash } = await engine.createOrganization({ name: 'Treasury', key: root.key })
    say(1, `Serving at ${url}, on ${path}.`, `Organization Treasury: ${organizationId}`)

    const activityId = await approve(({ key }) => connect({ url, organizationId, key }), root)
    await replay(engine, organizationId, activityId)
    await audit(path, join(folder, 'log.jsonl'), new Map([[organizationId, genesisHash]]))
  } finally {
    await server.close()
    await engine.close()
  }
}

const approve = async (as: As, root: Person): Promise<string> => {
  const people = ['Charles', 'Ada', 'Grace', 'Edsger'].map(personOf)
  const [charles = root, ada = root, grace = root] = people
  const enrolled = await as(root).submit(api.createUsers, { users: people.map(userParams) })
  const [, ...officers] = enrolled.result?.userIds ?? []
  const tagged = await as(root).submit(api.createUserTag, { userTagName: 'officers', userIds: officers })
  const policy = {
    policyName: 'Two of three officers let somebody in',
    effect: 'EFFECT_ALLOW' as const,
    condition: "activity.resource == 'USER' && activity.action == 'CREATE'",
    consensus: `approvers.filter(user, user.tags.contains('${tagged.result?.userTagId}')).count() >= 2`,
    notes: '',
  }
  await as(root).submit(api.createPolicy, policy)
  say(
    2,
    'Users Charles, Ada, Grace and Edsger; the last three are officers. The policy:',
    policy.condition,
    policy.consensus,
  )

  const asked = await as(charles).submit(api.createUsers, { users: [userParams(personOf('Alan'))] })
  const activityId = asked.activity.id
  const evaluated = await as(charles).query(api.getPolicyEvaluations, { activityId })
  const [said] = evaluated.policyEvaluations.flatMap(({ policyEvaluations }) => policyEvaluations)
  const voters: string[] = []
  for (const person of [...people, root]) {
    const { activity } = await as(person).query(api.getActivity, { activityId })
    if (activity.canApprove) voters.push(person.name)
  }
  say(
    3,
    `Charles asks to let Alan in: ${asked.status}`,
    asked.activity.fingerprint,
    `missing: "${policy.policyName}" says ${said?.outcome}`,
    `these can approve: ${voters.join(', ')}`,
  )

  const first = await as(ada).approve(asked.activity)
  const second = await as(grace).approve(asked.activity)
  const alan = JSON.stringify(second.result)
  say(4, `Ada approves: ${first.status}`, `Grace approves: ${second.status}, with ${alan}`)
  return activityId
}

const replay = async (
  engine: Awaited<ReturnType<typeof createEngine>>,
  organizationId: string,
  activityId: string,
): Promise<void> => {
  const { position, events } = await engine.replayActivity(organizationId, activityId)
  const moments: string[] = []
  for (let at = position - BigInt(events) + 1n; at <= position; at += 1n) {
    const { state } = await engine.replayActivity(organizationId, activityId, { to: { position: at } })
    if (state !== undefined) moments.push(`position ${at}: ${state.status}, votes: ${state.votes.length}`)
  }
  say(5, 'The log replayed, as the activity was at each event:', ...moments)
}

const audit = async (path: string, copy: string, pins: ReadonlyMap<string, string>): Promise<void> => {
  const { store, readModels } = await sqliteStore({ path, readOnly: true }) // while the server has it open
  await writeFile(copy, exportLog(store))
  await readModels.close()
  await store.close()
  const { counts, findings } = await auditLog(createReadStream(copy), { pins })
  say(
    6,
    'A copy of the log, audited without the server:',
    `${counts.events} events: ${counts.stamps} stamps, ${counts.decisions} decisions and ${counts.executions} executions hold`,
    `findings: ${findings.length}`,
  )

  const tampered = await readFile(copy)
  const asked = tampered.indexOf('"part":"request"', tampered.lastIndexOf('"ActivityCreated"'))
  const byte = tampered.indexOf('"bytes":"', asked) + '"bytes":"'.length
  tampered[byte] = (tampered[byte] ?? 0) ^ 1
  const [finding] = (await auditLog([tampered], { pins })).findings
  say(7, 'One bit flipped in what Charles asked for, audited again:', `line ${finding?.line}: ${finding?.message}`)
}

const personOf = (name: string): Person => ({ name, key: generateKey() })

const userParams = ({ name, key }: Person) => ({
  userName: name,
  apiKeys: [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: key.curve }],
  authenticators: [],
  oauthProviders: [],
  userTags: [],
})

const say = (step: number, title: string, ...lines: readonly string[]): void =>
  console.log([`${step}. ${title}`, ...lines.map((line) => `   ${line}`), ''].join('\n'))

const folder = await mkdtemp(join(tmpdir(), 'countersign-approvals-'))
try {
  await main(folder)
} finally {
  await rm(folder, { recursive: true, force: true })
}
